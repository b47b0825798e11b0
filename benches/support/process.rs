//! What a process has used, as Linux tells it.

/// Clock ticks a second, as Linux reports processor time.
const TICKS: f64 = 100.0;

fn read(pid: u32, file: &str) -> String {
    std::fs::read_to_string(format!("/proc/{pid}/{file}")).unwrap_or_default()
}

/// Its children, of all its threads.
pub(crate) fn children(pid: u32) -> Vec<u32> {
    let tasks = std::fs::read_dir(format!("/proc/{pid}/task"))
        .into_iter()
        .flatten()
        .flatten();
    let lists = tasks.map(|task| std::fs::read_to_string(task.path().join("children")).unwrap_or_default());
    lists
        .flat_map(|list| list.split(' ').filter_map(|pid| pid.parse().ok()).collect::<Vec<u32>>())
        .collect()
}

/// Seconds of processor time of its own, those of its children not counted; `None` when it has gone.
pub(crate) fn processor_time(pid: u32) -> Option<f64> {
    let stat = read(pid, "stat");
    let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
    let ticks = |at: usize| fields.get(at)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / TICKS)
}

/// The sum of these fields of `/proc/PID/FILE`, in kB.
pub(crate) fn kilobytes(pid: u32, file: &str, fields: &[&str]) -> u64 {
    let text = read(pid, file);
    let value = |line: &str| line.split_whitespace().nth(1)?.parse::<u64>().ok();
    text.lines()
        .filter(|line| fields.iter().any(|field| line.split(':').next() == Some(field)))
        .filter_map(value)
        .sum()
}
