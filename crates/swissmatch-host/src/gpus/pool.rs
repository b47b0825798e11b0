//! GPUs that are lent to engines, each to one engine at a time.
//!
//! May not: know who gets them.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Gpu;

/// How often to check whether the wait goes on.
const LOOK: Duration = Duration::from_millis(100);

/// The message when none can be taken.
pub(crate) const NO_GPU: &str = "there is no GPU for it";

/// The GPUs of a host.
#[derive(Debug, Default)]
pub struct Pool {
    count: usize,
    free: Mutex<Vec<Gpu>>,
    freed: Condvar,
}

impl Pool {
    /// A pool with all of these free; one that is listed twice is lent twice.
    pub fn new(gpus: Vec<Gpu>) -> Arc<Self> {
        Arc::new(Self {
            count: gpus.len(),
            free: Mutex::new(gpus),
            freed: Condvar::new(),
        })
    }

    /// Takes `count` GPUs at once, the first ones, and waits if fewer are free. A caller that waits must have none, or
    /// two could wait for each other. `None` if it is given up, or there are too few in all.
    pub fn take(self: &Arc<Self>, count: usize, is_given_up: &dyn Fn() -> bool) -> Option<LentGpus> {
        if count > self.count {
            return None;
        }
        let mut free = self.free();
        while free.len() < count {
            if is_given_up() {
                return None;
            }
            let waited = self.freed.wait_timeout(free, LOOK);
            free = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        let gpus = free.drain(..count).collect();
        let pool = Arc::clone(self);
        Some(LentGpus { gpus, pool })
    }

    fn free(&self) -> MutexGuard<'_, Vec<Gpu>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// GPUs on loan; they are free again when dropped.
#[derive(Debug)]
pub struct LentGpus {
    gpus: Vec<Gpu>,
    pool: Arc<Pool>,
}

impl LentGpus {
    pub fn gpus(&self) -> &[Gpu] {
        &self.gpus
    }
}

impl Drop for LentGpus {
    fn drop(&mut self) {
        let mut free = self.pool.free();
        free.append(&mut self.gpus);
        free.sort_by_key(|gpu| gpu.number);
        drop(free);
        self.pool.freed.notify_all();
    }
}
