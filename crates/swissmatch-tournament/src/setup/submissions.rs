//! `[submissions]`: what entrants hand in, by which their players play.
//!
//! May not: read files, know TOML, look at what was handed in.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use swiss_system::word::words;

use crate::submission::Submission;

/// What an archive has to have, `submissions.contract`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contract {
    /// `"get-move"`: a file of Python with a function of a FEN and of the milliseconds that are left.
    GetMove,
    /// `"kaggle"`: a file of Python with a function of an observation, as Kaggle's chess agents have it.
    Kaggle,
    /// `"uci"`: a UCI engine.
    Uci,
    /// `"prompt"`: the template of a prompt, by which a language model plays.
    Prompt,
}

words!(Contract {
    GetMove => "get-move",
    Kaggle => "kaggle",
    Uci => "uci",
    Prompt => "prompt",
});

impl Contract {
    /// What plays, by its path in the archive, where `submissions.entry` does not say.
    const fn usual_entry(self) -> &'static str {
        match self {
            Self::GetMove => "agent.py",
            Self::Kaggle => "main.py",
            Self::Uci => "engine",
            Self::Prompt => "prompt.jinja",
        }
    }

    /// The function that is called, where `submissions.function` does not say; nothing else has one.
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
    /// What an archive has to have; `None`: nothing is handed in.
    pub contract: Option<Contract>,
    /// The path of what plays in the archive; `None`: as the contract says.
    pub entry: Option<String>,
    /// The language model that plays by the prompts, `ENDPOINT:MODEL`; of that contract alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The function that is called; `None`: as the contract says.
    pub function: Option<String>,
    /// The environment of Python in which all play, as written; `None`: the machine's.
    pub python: Option<String>,
    /// Most bytes of an archive, unpacked, in units of 1,000,000.
    pub max_unpacked: u64,
    /// Submissions of a player on one day that may be accepted; `None`: any number.
    pub per_day: Option<u32>,
    /// What comes from here on does not play; `None`: everything that has come when the run begins does.
    pub lock: Option<Timestamp>,
    /// How many are tried at once.
    pub slots: u32,
    /// Players that the organizer has taken out, by their names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub out: Vec<String>,
    /// What the environment of Python had when the run began; `None`: there is none, or nobody looked. No file has this key.
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
    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether the organizer has taken a player out.
    pub fn is_out(&self, player: &str) -> bool {
        self.out.iter().any(|out| out == player)
    }

    /// What plays, by its path in the archive, under this contract.
    pub fn entry(&self, contract: Contract) -> &str {
        self.entry.as_deref().unwrap_or(contract.usual_entry())
    }

    /// The function that is called under this contract.
    pub fn function(&self, contract: Contract) -> Option<&str> {
        self.function.as_deref().or(contract.usual_function())
    }
}

/// A package of an environment of Python.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The SHA-256, in hexadecimal, of the list of its files that its installer left.
    pub sha256: String,
}

/// What a player plays by, where it was handed in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubmissionId {
    /// The SHA-256 of the archive, in hexadecimal.
    pub archive: String,
    /// Which one of all submissions it is, from 1.
    pub number: u64,
}

impl SubmissionId {
    /// That of a submission.
    pub fn of(submission: &Submission) -> Self {
        Self {
            archive: submission.received.archive.clone(),
            number: submission.received.number,
        }
    }

    /// What people call it.
    pub fn called(&self) -> String {
        format!("#{}", self.number)
    }
}
