//! Services that are away: they answer nobody, not even a call of one token.
//!
//! May not: ask one.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::endpoint::Endpoint;

/// A report on a service that is away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Outage {
    /// The event's name for the service.
    pub endpoint: String,
    pub url: String,
    /// The model that alone is away; `None` for the service as a whole.
    pub model: Option<String>,
    /// The last failure that was seen; `None` if the service answers again.
    pub why: Option<String>,
    /// How long the service has been away.
    pub lasted: Duration,
}

/// When a service, or a model of it, went away, and the last failure that was seen.
type Away = BTreeMap<Option<String>, (Instant, String)>;

/// The outages of one service.
#[derive(Debug, Default)]
pub(crate) struct Outages(Mutex<Away>);

impl Outages {
    fn with<T>(&self, work: impl FnOnce(&mut Away) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// True if a model of the service is away, by itself or with all of them.
    pub(crate) fn is_away(&self, model: &str) -> bool {
        self.with(|away| {
            let mut models = away.keys();
            models.any(|away| away.as_deref().is_none_or(|away| away == model))
        })
    }

    /// When the outage began.
    pub(crate) fn since(&self, model: Option<&str>) -> Option<Instant> {
        self.with(|away| away.get(&model.map(str::to_owned)).map(|(since, _)| *since))
    }

    /// Notes an outage. Returns true if it is new, and a report if anything has changed.
    pub(crate) fn begin(
        &self,
        endpoint: &Endpoint,
        model: Option<&str>,
        (since, why): (Instant, String),
    ) -> (bool, Option<Outage>) {
        let model = model.map(str::to_owned);
        let before = self.with(|away| {
            let since = away.get(&model).map_or(since, |(since, _)| *since);
            away.insert(model.clone(), (since, why.clone()))
        });
        let is_told = before.as_ref().is_some_and(|(_, told)| *told == why);
        let outage = Outage {
            why: Some(why),
            ..of(endpoint, model, since)
        };
        (before.is_none(), (!is_told).then_some(outage))
    }

    /// Ends outages: a call of this model was answered, or one that asked for no model.
    pub(crate) fn end(&self, endpoint: &Endpoint, model: Option<&str>) -> Vec<Outage> {
        let over: Away = self.with(|away| {
            let is_over = |of: &Option<String>| of.is_none() || of.as_deref() == model;
            away.extract_if(.., |of, _| is_over(of)).collect()
        });
        over.into_iter()
            .map(|(model, (since, _))| of(endpoint, model, since))
            .collect()
    }
}

fn of(endpoint: &Endpoint, model: Option<String>, since: Instant) -> Outage {
    Outage {
        endpoint: endpoint.name.clone(),
        url: endpoint.url.to_string(),
        model,
        why: None,
        lasted: since.elapsed(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_is_away_until_it_answers_and_a_model_until_it_does() {
        let endpoint = Endpoint::new("local", "http://127.0.0.1:9/v1").expect("an address");
        let outages = Outages::default();
        let begin = |model, why: &str| outages.begin(&endpoint, model, (Instant::now(), why.to_owned()));
        let (is_new, told) = begin(None, "refused");
        assert_eq!(
            (is_new, told.and_then(|told| told.why)),
            (true, Some("refused".to_owned()))
        );
        assert_eq!(begin(None, "refused"), (false, None), "nothing has changed");
        let (is_new, told) = begin(None, "reset");
        assert_eq!(
            (is_new, told.and_then(|told| told.why)),
            (false, Some("reset".to_owned()))
        );
        assert!(begin(Some("a"), "503").0);
        assert!(outages.is_away("a") && outages.is_away("b"));
        // Another model answers: the service is there, and the one model is away.
        let over = outages.end(&endpoint, Some("b"));
        assert_eq!((over.len(), &over[0].model, &over[0].why), (1, &None, &None));
        assert!(outages.is_away("a") && !outages.is_away("b"));
        let over = outages.end(&endpoint, Some("a"));
        assert_eq!(over[0].model.as_deref(), Some("a"));
        assert!(outages.since(Some("a")).is_none() && outages.end(&endpoint, Some("a")).is_empty());
    }
}
