//! GPUs that are lent to engines, each to one at a time.
//!
//! May not: know for whom.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Gpu;

/// How often it is looked whether somebody still waits.
const LOOK: Duration = Duration::from_millis(100);

/// What is said where there is none to be taken.
pub(crate) const NO_GPU: &str = "there is no GPU for it";

/// GPUs of a host.
#[derive(Debug, Default)]
pub struct Pool {
    count: usize,
    free: Mutex<Vec<Gpu>>,
    freed: Condvar,
}

impl Pool {
    /// All of these are free; one that is there twice is lent twice.
    pub fn new(gpus: Vec<Gpu>) -> Arc<Self> {
        Arc::new(Self {
            count: gpus.len(),
            free: Mutex::new(gpus),
            freed: Condvar::new(),
        })
    }

    /// Takes so many at once, the first ones; where there are fewer free they are waited for. So whoever waits must have none:
    /// otherwise two might wait for each other. `None` where it is given up, or there are not so many at all.
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

/// GPUs that somebody has; dropped, they are free again.
#[derive(Debug)]
pub struct LentGpus {
    gpus: Vec<Gpu>,
    pool: Arc<Pool>,
}

impl LentGpus {
    /// They.
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
