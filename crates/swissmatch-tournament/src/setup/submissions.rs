//! `[submissions]`: what entrants hand in for their players to play with.
//!
//! May not: read files, know TOML, look at submissions.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use swiss_system::word::words;

use crate::submission::Submission;

/// What an archive must contain, `submissions.contract`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contract {
    /// `"get-move"`: a Python file with a function that takes a FEN and the milliseconds left.
    GetMove,
    /// `"kaggle"`: a Python file with a function that takes an observation, like Kaggle's chess agents.
    Kaggle,
    /// `"uci"`: a UCI engine.
    Uci,
    /// `"prompt"`: the template of a prompt for a language model.
    Prompt,
}

words!(Contract {
    GetMove => "get-move",
    Kaggle => "kaggle",
    Uci => "uci",
    Prompt => "prompt",
});

impl Contract {
    /// The path in the archive of what plays, unless `submissions.entry` sets it.
    const fn usual_entry(self) -> &'static str {
        match self {
            Self::GetMove => "agent.py",
            Self::Kaggle => "main.py",
            Self::Uci => "engine",
            Self::Prompt => "prompt.jinja",
        }
    }

    /// The function that is called, unless `submissions.function` sets it; other contracts have none.
    const fn usual_function(self) -> Option<&'static str> {
        match self {
            Self::GetMove => Some("get_move"),
            Self::Kaggle => Some("chess_bot"),
            Self::Uci | Self::Prompt => None,
        }
    }
}

/// `[submissions]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SubmissionKeys {
    /// What an archive must contain; `None` means that there are no submissions.
    pub contract: Option<Contract>,
    /// The path in the archive of what plays; `None` means as the contract says.
    pub entry: Option<String>,
    /// The language model that plays with the prompts, `ENDPOINT:MODEL`; only for that contract.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The function that is called; `None` means as the contract says.
    pub function: Option<String>,
    /// The Python environment that all submissions play in, as written; `None` means the machine's.
    pub python: Option<String>,
    /// The largest size of an archive, unpacked, in units of 1,000,000 bytes.
    pub max_unpacked: u64,
    /// How many submissions of a player may be accepted on one day; `None` means any number.
    pub per_day: Option<u32>,
    /// Submissions from this time on do not play; `None` means that all that came before the run began do.
    pub lock: Option<Timestamp>,
    /// How many submissions are tried at once.
    pub slots: u32,
    /// Names of players whom the organizer has taken out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub out: Vec<String>,
    /// The packages of the Python environment when the run began; `None` if there is no environment, or nobody looked.
    /// No file has this key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub packages: Option<Vec<Package>>,
}

impl Default for SubmissionKeys {
    fn default() -> Self {
        Self {
            contract: None,
            entry: None,
            model: None,
            function: None,
            python: None,
            max_unpacked: 50,
            per_day: Some(10),
            lock: None,
            slots: 1,
            out: Vec::new(),
            packages: None,
        }
    }
}

impl SubmissionKeys {
    /// True if no key is set.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// True if the organizer has taken the player out.
    pub fn is_out(&self, player: &str) -> bool {
        self.out.iter().any(|out| out == player)
    }

    /// The path in the archive of what plays under this contract.
    pub fn entry(&self, contract: Contract) -> &str {
        self.entry.as_deref().unwrap_or(contract.usual_entry())
    }

    /// The function that is called under this contract.
    pub fn function(&self, contract: Contract) -> Option<&str> {
        self.function.as_deref().or(contract.usual_function())
    }
}

/// A package of a Python environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Package {
    pub name: String,
    pub version: String,
    /// The SHA-256, in hexadecimal, of the list of files that its installer left.
    pub sha256: String,
}

/// The submission that a player plays with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubmissionId {
    /// The SHA-256 of the archive, in hexadecimal.
    pub archive: String,
    /// Its number among all submissions, from 1.
    pub number: u64,
}

impl SubmissionId {
    pub fn of(submission: &Submission) -> Self {
        Self {
            archive: submission.received.archive.clone(),
            number: submission.received.number,
        }
    }

    /// The name that people are shown.
    pub fn called(&self) -> String {
        format!("#{}", self.number)
    }
}
