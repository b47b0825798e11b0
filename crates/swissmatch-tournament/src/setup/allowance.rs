//! How much of a machine the agents of an event may use.

use super::EngineKeys;
use swissmatch_game::resource::Allowance;

impl EngineKeys {
    /// Every limit on what one agent may use.
    pub fn allowance(&self) -> Allowance {
        let [kib, mib] = [10, 20].map(|bits| move |count: u64| count << bits);
        Allowance {
            memory: self.max_memory.map(mib),
            processes: self.max_processes,
            disk: mib(self.max_disk),
            output: kib(self.max_output),
            line: kib(self.max_line),
            standard_error: kib(self.max_stderr),
            options: self.max_options,
            introduction: kib(self.max_introduction),
        }
    }
}
