//! The one place that settles what an agent may reach: from its command, its player's keys and what this machine gives.
//!
//! May not: apply it, which the process between keeper and agent does.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rustix::fs::StatVfsMountFlags;
use swiss_system::word::Word as _;

use super::Confinement;
use super::grants::{Grants, UnreachableGrant};
use super::interpreter::{Interpreters, USER_BASE};
use super::probe::{self, IsolationMeans};
use super::shared::{self, BindMount};
use super::system::PATH;
use super::user::OwnUser;
use crate::content::{Copies, RegisteredFiles};
use crate::directory::{Directory, END, path_of};
use crate::engine::EngineCommand;
use crate::gpus;
use crate::group::groups;
use crate::host::{AgentSpec, FindAgentError};
use crate::launch::Programs;
use crate::paths::resolved;
use crate::scratch::{Scratch, Scratches};
use swissmatch_game::isolation::{IsolatedAgent, Isolation, Protection};
use swissmatch_tournament::log::{FileHash, WorksIn};
use swissmatch_tournament::setup::{Exec, PlayerKeys};

/// Variables of the runner that an isolated agent has too: how texts and times are written.
const PASSED_ON: &[&str] = &["LANG", "LC_ALL", "LC_CTYPE", "TZ"];

/// Where Python keeps what it compiles.
const PYCACHE: &str = "PYTHONPYCACHEPREFIX";

/// Isolates the agents of a host.
#[derive(Debug)]
pub struct Isolator {
    /// The event file's, which is nobody's own.
    directory: PathBuf,
    made: Mutex<IsolatorState>,
}

/// What it has made so far.
#[derive(Debug, Default)]
struct IsolatorState {
    place: Option<IsolatorFiles>,
    of_players: BTreeMap<String, Own>,
}

/// Where it makes it.
#[derive(Debug)]
struct IsolatorFiles {
    scratches: Scratches,
    /// Of agents' files, where those can be put over them.
    copies: Option<Arc<Copies>>,
    /// Of the machine's figures, where those can be put over them.
    figures: Vec<BindMount>,
}

/// What an agent has for itself.
#[derive(Clone, Debug)]
struct Own {
    scratch: Arc<Scratch>,
    user: Option<Arc<OwnUser>>,
    closed: Option<UnreachableGrant>,
    copies: Option<Arc<Copies>>,
    /// What is put over devices and figures of the machine.
    instead: Vec<BindMount>,
}

impl IsolatorFiles {
    fn new(means: &IsolationMeans) -> io::Result<Self> {
        let scratches = Scratches::new()?;
        // From a disk of which nothing may be run no copy can be started.
        let may_run = !rustix::fs::statvfs(scratches.path())?
            .f_flag
            .contains(StatVfsMountFlags::NOEXEC);
        let copies = match means.bubblewrap.is_some() && may_run {
            true => Some(Arc::new(Copies::new(scratches.closed("copies")?))),
            false => None,
        };
        let figures = match means.bubblewrap.is_some() {
            true => {
                let in_memory = scratches.closed_in_memory("figures");
                let copied = in_memory.and_then(|place| shared::figures(&place).ok());
                copied.map_or_else(|| shared::figures(&scratches.closed("figures")?), Ok)?
            }
            false => Vec::new(),
        };
        Ok(Self {
            scratches,
            copies,
            figures,
        })
    }
}

impl UnreachableGrant {
    /// That the agent of `player`, which so has no user of its own, cannot be kept from something.
    fn refuses(of: Option<&Self>, player: &str, protection: Protection) -> FindAgentError {
        let cannot = format!("{player} cannot be kept from {}", protection.what());
        let has_none = match of {
            None => "there is no user number left for it".to_owned(),
            Some(Self::Write(path)) => {
                let path = path.display();
                return FindAgentError::Write(format!(
                    "{cannot}: for that the superuser gives it a user of its own, who may not write {path}; name only what \
                     it makes itself, which is kept in its scratch directory, or run swissmatch as an ordinary user"
                ));
            }
            Some(Self::Read(path)) => {
                let path = path.display();
                format!("no user but the superuser can reach {path} (`chmod o+rX` lets all)")
            }
            Some(Self::Interpreter(why)) => why.clone(),
            Some(Self::Gpu) => "not every user may open the GPUs of this machine".to_owned(),
        };
        FindAgentError::Isolation(format!(
            "{cannot}: for that the superuser gives it a user of its own, but {has_none}"
        ))
    }
}

impl Isolator {
    /// For agents whose words are relative to `directory`, the event file's.
    pub fn new(directory: &Path) -> Self {
        Self {
            directory: directory.to_path_buf(),
            made: Mutex::default(),
        }
    }

    /// Makes what all agents share, before the first of them is isolated; what cannot be made shows then.
    pub(crate) fn make_ahead(&self) {
        let means = probe::means();
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if made.place.is_none() {
            made.place = IsolatorFiles::new(means).ok();
        }
    }

    /// The command with the isolation that its player is to have. Until then words are relative to the directory of the command;
    /// afterwards the agent runs there where that is its own, else in its scratch directory, where what its words name stands too. It is
    /// started with its files as they were `registered`, or not at all; what it has for itself its private copies are part of. It may run
    /// what is `listed`, too.
    ///
    /// # Errors
    /// When the machine cannot make a scratch directory, or this agent cannot be kept from what it has to be.
    pub fn isolate(
        &self,
        mut command: EngineCommand,
        spec: &AgentSpec,
        registered: Vec<FileHash>,
        listed: &[PathBuf],
    ) -> Result<EngineCommand, FindAgentError> {
        let (player, isolation) = (&spec.player, spec.isolation);
        if isolation == Isolation::Off {
            // What else it names it may write as it likes.
            let is_program = |file: &FileHash| Path::new(&file.path) == command.launch.program;
            // Templates no agent writes.
            let is_fixed = |file: &FileHash| is_program(file) || command.launch.asks_broker();
            let files = registered.into_iter().filter(is_fixed).map(|file| (file, None));
            let registered = RegisteredFiles::new(files);
            command.registered = Some(Arc::new(registered));
            return Ok(command);
        }
        let means = probe::means();
        let mut grants = Grants::new(&command, spec, &self.directory);
        listed.iter().for_each(|program| grants.read(program));
        let own = self.own(player, &grants, means);
        let own = own.map_err(|error| {
            FindAgentError::Machine(format!("what an agent has for itself cannot be made: {error}"))
        })?;
        let user = own.user.as_deref().map(OwnUser::number);
        let protections = means.protections_of(user);
        if let Some(missing) = spec.requires.iter().find(|one| !protections.contains(one)) {
            return Err(UnreachableGrant::refuses(own.closed.as_ref(), &player.name, *missing));
        }
        let copies = own.copies.as_ref();
        let (whole, registered): (Vec<_>, Vec<_>) = registered.into_iter().partition(|file| file.path.ends_with(END));
        let manifest = |directory: &Directory| {
            let path = path_of(&directory.root);
            // It may have been named through a link.
            let is_it = |file: &&FileHash| file.path == path || path_of(&resolved(Path::new(&file.path))) == path;
            whole.iter().find(is_it).map(|file| file.sha256.clone())
        };
        let directories = grants.directories.iter().map(|one| (one.clone(), manifest(one)));
        let directories = directories.collect();
        let registered: Vec<_> = registered
            .into_iter()
            .map(|file| {
                let copies = copies.filter(|_| !is_of_the_system(Path::new(&file.path)));
                (file, copies.cloned())
            })
            .collect();
        let programs = Programs::new(&command, spec, listed);
        let may_read = |path: &&PathBuf| !programs.as_ref().is_some_and(|programs| programs.refuse(path));
        let confinement = Confinement {
            copies: registered
                .iter()
                .filter_map(|(file, copies)| Some(over(file, copies.as_ref()?)))
                .flatten()
                .chain(own.instead)
                .collect(),
            reads: grants
                .reads
                .iter()
                .filter(may_read)
                .map(|path| path.clone().into_os_string())
                .collect(),
            writes: std::iter::once(own.scratch.path().to_path_buf())
                .chain(grants.writes.iter().cloned())
                .map(PathBuf::into_os_string)
                .collect(),
            directories: grants
                .directories
                .iter()
                .map(|one| one.root.clone().into_os_string())
                .collect(),
            // What is left out is looked for right before each start.
            hidden: Vec::new(),
            links: grants
                .links
                .iter()
                .map(|(name, path)| (name.clone(), path.clone().into_os_string()))
                .collect(),
            // Those of the GPU that it is given come later.
            devices: Vec::new(),
            programs,
            bubblewrap: means.bubblewrap.clone().map(PathBuf::into_os_string),
            user,
            processes: means.processes(user, spec.allowance.processes),
            is_sealed: isolation == Isolation::Sealed,
        };
        let mut isolated = command;
        grants.place(&mut isolated, player);
        let launch = &mut isolated.launch;
        launch.environment = environment(
            std::mem::take(&mut launch.environment),
            own.scratch.path(),
            &grants.interpreters,
        );
        if spec.works_in != Some(WorksIn::Dir) {
            launch.directory = own.scratch.path().to_path_buf();
        }
        launch.confinement = Some(confinement);
        isolated.isolated = IsolatedAgent { isolation, protections };
        isolated.scratch = Some(own.scratch);
        isolated.registered = Some(Arc::new(RegisteredFiles::new(registered).with_directories(directories)));
        Ok(isolated)
    }

    fn own(&self, player: &PlayerKeys, grants: &Grants, means: &IsolationMeans) -> io::Result<Own> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = made.of_players.get(&player.name) {
            return Ok(own.clone());
        }
        let number = made.of_players.len();
        if made.place.is_none() {
            made.place = Some(IsolatorFiles::new(means)?);
        }
        let IsolatorFiles {
            scratches,
            copies,
            figures,
        } = made.place.as_ref().expect("it has just been made");
        let closed = grants.closed(means.bubblewrap.is_some(), scratches.path());
        let is_closed_gpu = || player.needs_gpu() && !gpus::are_for_everybody();
        let closed = closed.or_else(|| is_closed_gpu().then_some(UnreachableGrant::Gpu));
        let user = match means.users && closed.is_none() {
            true => OwnUser::take()?,
            false => None,
        };
        let devices = match means.bubblewrap.is_some() {
            true => shared::devices(&scratches.closed(&format!("devices-{number}"))?),
            false => Vec::new(),
        };
        let kept = player.write.iter().filter_map(|name| first_name(name)).collect();
        let own = Own {
            scratch: Arc::new(scratches.make(number, user.as_ref().map(OwnUser::number), kept)?),
            user: user.map(Arc::new),
            copies: copies.clone(),
            closed,
            instead: figures.iter().cloned().chain(devices).collect(),
        };
        made.of_players.insert(player.name.clone(), own.clone());
        Ok(own)
    }
}

/// Whether a file is the system's, which no agent can change.
fn is_of_the_system(path: &Path) -> bool {
    let path = resolved(path);
    path.starts_with("/usr") && path.metadata().is_ok_and(|data| data.uid() == 0)
}

/// The copy of a file over each of its names.
fn over(file: &FileHash, copies: &Copies) -> Vec<(OsString, OsString)> {
    let path = Path::new(&file.path);
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let names = BTreeSet::from([whole, resolved(path)]).into_iter();
    let over = names.map(|name| (copies.place(file).into_os_string(), name.into_os_string()));
    over.collect()
}

/// What of these protections this machine does not give, with what would; `None`: it gives all.
pub fn lacks(required: &[Protection]) -> Option<String> {
    if required.is_empty() {
        return None;
    }
    let means = probe::means();
    let missing: Vec<String> = required
        .iter()
        .filter(|one| !means.protections.contains(one))
        .map(|one| format!("\"{}\" ({}) needs {}", one.word(), one.what(), one.remedy()))
        .collect();
    (!missing.is_empty()).then(|| {
        let because = |what, why: &Option<String>| {
            why.as_ref()
                .map_or_else(String::new, |why| format!("; {what}, because {why}"))
        };
        let why = [
            because("there are no namespaces", &means.why_no_namespaces),
            because("agents have no users of their own", &means.why_no_users),
        ];
        format!(
            "this machine cannot isolate agents as they have to be: {}{}; `swissmatch doctor` shows what it can",
            missing.join("; "),
            why.concat()
        )
    })
}

/// Why a sealed agent that is to be stopped while its opponent thinks cannot be stopped with all its processes here; `None`: it can, or
/// need not be.
pub(crate) fn lacks_a_way_to_stop(spec: &AgentSpec) -> Option<String> {
    let is_to_be = spec.freezes && spec.isolation == Isolation::Sealed && probe::means().bubblewrap.is_none();
    let why_no_groups = is_to_be.then(groups)?.err()?;
    let why_no_namespaces = probe::means().why_no_namespaces.as_deref().unwrap_or_default();
    Some(format!(
        "a sealed agent is stopped while its opponent thinks, and this machine cannot stop one with all its processes: it gives no control \
         groups ({why_no_groups}) and no namespaces ({why_no_namespaces}); `game.freeze = false` lets agents run meanwhile"
    ))
}

/// Why an agent cannot be kept from other programs here; `None`: it can, or need not be.
pub(crate) fn lacks_a_way_to_refuse(spec: &AgentSpec) -> Option<String> {
    let is_bound = spec.exec != Exec::Any && spec.isolation != Isolation::Off;
    (is_bound && probe::landlock().is_none()).then(|| {
        format!(
            "{} may run its own program alone, and this machine cannot keep it from others: that needs a kernel with Landlock (Linux \
             5.13 or later, with landlock in /sys/kernel/security/lsm); `exec = \"any\"` lets it run any program",
            spec.player.name
        )
    })
}

/// The first name of a path that is relative.
fn first_name(path: &str) -> Option<String> {
    let first = Path::new(path)
        .components()
        .find(|part| *part != std::path::Component::CurDir)?;
    match first {
        std::path::Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        _ => None,
    }
}

/// A clean environment: a named few of the runner's, and what the player's own keys say.
fn environment(
    of_player: BTreeMap<String, OsString>,
    scratch: &Path,
    interpreters: &Interpreters,
) -> BTreeMap<String, OsString> {
    let mut path = OsString::new();
    for directory in interpreters
        .programs
        .iter()
        .map(|directory| directory.as_os_str())
        .chain([OsStr::new(PATH)])
    {
        if !path.is_empty() {
            path.push(":");
        }
        path.push(directory);
    }
    let passed_on = PASSED_ON
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), std::env::var_os(name)?)));
    let mut all: BTreeMap<String, OsString> = passed_on.collect();
    all.insert("PATH".to_owned(), path);
    // Nobody has an entry for a user of its own.
    for name in ["USER", "LOGNAME"] {
        all.insert(name.to_owned(), "agent".into());
    }
    for name in ["HOME", "TMPDIR"] {
        all.insert(name.to_owned(), scratch.as_os_str().to_owned());
    }
    // What Python compiled before is no part of an agent.
    all.insert(PYCACHE.to_owned(), scratch.join(".pycache").into_os_string());
    // Its home is another one.
    let base = interpreters.user_base.iter();
    all.extend(base.map(|base| (USER_BASE.to_owned(), base.clone().into_os_string())));
    all.extend(of_player);
    all
}
