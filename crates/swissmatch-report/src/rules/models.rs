//! Rules of players that are asked over the network: where they are asked and how, whose failures are whose, what may be spent.
//!
//! May not: tell an address, a key or a path.

use std::path::Path;

use swiss_system::count;
use swiss_system::text::harmless;

use super::{RulesSection, listed};
use swissmatch_game::time_control::duration_in_words;
use swissmatch_tournament::log::Agent;
use swissmatch_tournament::setup::{
    Again, AtLimit, EVENT, EndpointKeys, ModelSetup, MoveSource, Notation, PlayerKeys, ResponseFormat, Setup, Take,
};

/// Digits of a hash that a sentence gives.
const HASH_DIGITS: usize = 12;

/// `agents` are those of the players, once they are registered.
pub(super) fn models(setup: &Setup, agents: &[Agent]) -> RulesSection {
    let players = setup.players_by_models();
    let asked = players.iter().enumerate().filter_map(|(place, player)| {
        let agent = agents.get(place);
        Some((player, player.asks()?, agent))
    });
    let asked: Vec<(&PlayerKeys, MoveSource<'_>, Option<&Agent>)> = asked.collect();
    let models = asked.iter().filter_map(|(player, asks, agent)| match asks {
        MoveSource::Model(endpoint, model) => Some(ModelPlayer {
            player,
            endpoint: setup.endpoint(endpoint),
            model,
            keys: setup.model(player),
            agent: *agent,
            is_awaited: player.submission.is_none() && setup.submissions.model == player.model,
        }),
        MoveSource::Command(_) | MoveSource::Url(_) => None,
    });
    let models: Vec<ModelPlayer<'_>> = models.collect();
    let urls = asked.iter().filter(|(_, asks, _)| matches!(asks, MoveSource::Url(_)));
    let urls: Vec<String> = urls.map(|(player, ..)| harmless(&player.name)).collect();
    if models.is_empty() && urls.is_empty() {
        return RulesSection::new("Models and web services", []);
    }
    let of_event = models.iter().filter_map(|asked| asked.endpoint);
    let of_event = of_event.filter(|endpoint| endpoint.owner == EVENT);
    let services = (!urls.is_empty()).then(|| format!("Web services that play: {}.", listed(&urls)));
    let of_prompts = models.iter().find(|asked| asked.is_awaited);
    let of_prompts = of_prompts.map(|asked| {
        let model = harmless(asked.model);
        format!(
            "By each prompt that is handed in the model \"{model}\"{} plays.",
            asked.at()
        )
    });
    let known = models.iter().filter(|asked| !asked.is_awaited);
    let rules = known.map(|asked| Some(asked.where_it_is_asked()));
    let rules = rules.chain([of_prompts, services]);
    let how = how_each_is_asked(&models).into_iter().map(Some);
    let failures = models.first().map(|_| {
        "An answer that is illegal, unparsable, empty, truncated or refused, and one that comes late, is a failed attempt of the model. \
         Before a call without one byte counts as late the runner asks the service for one token itself: where that has none by the \
         limit either, the service is silent."
            .to_owned()
    });
    let own = (!urls.is_empty() || models.iter().any(|asked| !asked.is_at_the_events())).then(|| {
        "At a service that is a player's own nothing is off the clock, and it pays for its outages: where it answers nothing its attempt \
         fails."
            .to_owned()
    });
    let after = [failures, outages(of_event), own, spending(setup)];
    RulesSection::new("Models and web services", rules.chain(how).chain(after))
}

/// A model.
struct ModelPlayer<'a> {
    player: &'a PlayerKeys,
    endpoint: Option<&'a EndpointKeys>,
    model: &'a str,
    keys: ModelSetup,
    agent: Option<&'a Agent>,
    /// Whether its prompt is still to be handed in.
    is_awaited: bool,
}

impl ModelPlayer<'_> {
    fn is_at_the_events(&self) -> bool {
        self.endpoint.is_none_or(|endpoint| endpoint.owner == EVENT)
    }

    /// `Ada is the model "qwen3-8b" at the service local; its prompt is move.jinja (SHA-256 0123456789ab…).`
    fn where_it_is_asked(&self) -> String {
        let (name, at) = (harmless(&self.player.name), self.at());
        let prompt = self.keys.prompt.as_deref().map_or_else(String::new, |prompt| {
            let file = Path::new(prompt).file_name().unwrap_or_default().to_string_lossy();
            let hash = self.agent.and_then(|agent| agent.files.first());
            let hash = hash.map_or_else(String::new, |file| {
                format!(" (SHA-256 {}…)", file.sha256.get(..HASH_DIGITS).unwrap_or(&file.sha256))
            });
            format!("; its prompt is {}{hash}", harmless(&file))
        });
        format!("{name} is the model \"{}\"{at}{prompt}.", harmless(self.model))
    }

    /// ` at the service local`
    fn at(&self) -> String {
        self.endpoint.map_or_else(String::new, |endpoint| {
            let whose = match endpoint.owner.as_str() {
                EVENT => String::new(),
                owner if owner == self.player.name => ", its own".to_owned(),
                owner => format!(", which is {}'s", harmless(owner)),
            };
            format!(" at the service {}{whose}", harmless(&endpoint.name))
        })
    }

    /// How it is asked, and its answers are read.
    fn how(&self) -> String {
        let keys = &self.keys;
        let tag = harmless(&keys.tag);
        let place = match tag.strip_suffix(':') {
            Some(_) => format!("after \"{tag}\""),
            None => format!("in the tag <{tag}>"),
        };
        let place = match &keys.response_format {
            ResponseFormat::LegalMoves => {
                format!("in an object with \"{tag}\", and the service is told to let none but a legal move pass")
            }
            ResponseFormat::None => place,
            ResponseFormat::Table(_) => format!("{place}, in a form that the service is told"),
        };
        let notation = match keys.notation {
            Notation::Uci => "UCI notation",
            Notation::San => "standard algebraic notation",
        };
        let take = match keys.take {
            Take::First => "the first one counts",
            Take::Last => "the last one counts",
            Take::Only => "where there are several none counts",
        };
        let reasoning = match keys.in_reasoning {
            true => "one in its reasoning counts, too",
            false => "its reasoning is not looked at",
        };
        let resign = match keys.resign {
            true => "; \"resign\" in its place gives the game up",
            false => "",
        };
        let again = match keys.again_prompt {
            Again::Same => "the same prompt",
            Again::Told => "the prompt with the answer that failed and what was wrong with it",
        };
        format!(
            "An answer has at most {}. Its move stands {place}, in {notation}; {take}, {reasoning}{resign}. Another attempt has {again}.",
            count::of(keys.max_tokens as usize, "token", "tokens")
        )
    }
}

/// [`ModelPlayer::how`] of all models, or of each that has its own.
fn how_each_is_asked(models: &[ModelPlayer<'_>]) -> Vec<String> {
    let mut all: Vec<(String, Vec<String>)> = Vec::new();
    for asked in models {
        let (name, sentence) = (harmless(&asked.player.name), asked.how());
        match all.iter_mut().find(|(known, _)| *known == sentence) {
            Some((_, names)) => names.push(name),
            None => all.push((sentence, vec![name])),
        }
    }
    let is_one = all.len() == 1;
    let told = |(sentence, names): (String, Vec<String>)| match is_one {
        true => sentence,
        false => format!("{}: {sentence}", listed(&names)),
    };
    all.into_iter().map(told).collect()
}

/// Whose the failures of the event's services are.
fn outages<'a>(endpoints: impl Iterator<Item = &'a EndpointKeys>) -> Option<String> {
    let mut patience: Vec<(&str, String)> = Vec::new();
    for endpoint in endpoints {
        let told = (endpoint.name.as_str(), duration_in_words(endpoint.patience));
        if !patience.contains(&told) {
            patience.push(told);
        }
    }
    let (_, first) = patience.first()?;
    let so_long = match patience.iter().all(|(_, time)| time == first) {
        true => first.clone(),
        false => {
            let each = patience
                .iter()
                .map(|(name, time)| format!("{time} at {}", harmless(name)));
            listed(&each.collect::<Vec<_>>())
        }
    };
    Some(format!(
        "What a service of the event fails (no connection, an error of its own, a cut answer, garbage) is no attempt of anybody: it is asked \
         again for {so_long}, off the clock, as is the wait for a free place there. After that the game is not played, and is due again."
    ))
}

/// What calls may cost.
fn spending(setup: &Setup) -> Option<String> {
    let keys = &setup.spending;
    let limits = [
        keys.event
            .map(|most| format!("{most} in all (in the unit of the prices)")),
        keys.player.map(|most| format!("{most} by one player")),
        keys.tokens.map(|most| count::of(most as usize, "token", "tokens")),
        keys.requests
            .map(|most| count::of(most as usize, "request", "requests")),
    ];
    let limits: Vec<String> = limits.into_iter().flatten().collect();
    let then = match keys.at_limit {
        AtLimit::Pause => "the event pauses, and nobody loses",
        AtLimit::Forfeit => "the attempt of whoever needs the call fails",
    };
    (!limits.is_empty()).then(|| {
        format!(
            "No call is made that might spend more than {}: then {then}.",
            listed(&limits)
        )
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::super::fixture;
    use super::*;
    use swissmatch_tournament::setup::{Micros, ModelKeys};

    /// Alpha and Bravo are models at one service, Charlie is one at its own; Delta is a web service.
    fn rules(change: impl FnOnce(&mut Setup)) -> String {
        let mut setup = fixture::created_only().setup().clone();
        let endpoint = |name: &str, owner: &str| EndpointKeys {
            name: name.to_owned(),
            url: "https://secret.example.org/v1".to_owned(),
            owner: owner.to_owned(),
            ..EndpointKeys::default()
        };
        setup.endpoints = vec![endpoint("local", EVENT), endpoint("home", "Charlie")];
        setup.model.prompt = Some("secret/move.jinja".to_owned());
        for player in &mut setup.players {
            match player.name.as_str() {
                "Alpha" | "Bravo" => player.model = Some("local:small".to_owned()),
                "Charlie" => player.model = Some("home:large".to_owned()),
                "Delta" => player.move_url = Some("https://secret.example.org/move".to_owned()),
                _ => {}
            }
        }
        change(&mut setup);
        models(&setup, &fixture::created_only().created().agents)
            .rules
            .join("\n")
    }

    #[test]
    fn it_is_told_how_models_are_asked_and_whose_failures_are_whose() {
        let text = rules(|_| ());
        for told in [
            "Alpha is the model \"small\" at the service local; its prompt is move.jinja.",
            "Charlie is the model \"large\" at the service home, its own; its prompt is move.jinja.",
            "Web services that play: Delta.",
            "\nAn answer has at most 500 tokens. Its move stands in the tag <uci_move>, in UCI notation; the first one counts, its reasoning \
             is not looked at; \"resign\" in its place gives the game up. Another attempt has the same prompt.",
            "it is asked again for 10 min, off the clock",
            "At a service that is a player's own nothing is off the clock",
        ] {
            assert!(text.contains(told), "{told}: {text}");
        }
        assert!(!text.contains("secret") && !text.contains("No call is made"), "{text}");
        assert!(
            super::super::markdown(
                fixture::created_only().setup(),
                fixture::created_only().setup().plan(),
                &[]
            )
            .find("Models and web services")
            .is_none()
        );
    }

    #[test]
    fn what_is_a_players_own_is_told_of_it_alone() {
        let text = rules(|setup| {
            setup.endpoints[0].patience = Duration::from_secs(5);
            setup.spending.event = Some(Micros(2_500_000));
            setup.spending.requests = Some(1000);
            let own = ModelKeys {
                tag: Some("Final Answer:".to_owned()),
                take: Some(Take::Last),
                notation: Some(Notation::San),
                again_prompt: Some(Again::Told),
                ..ModelKeys::default()
            };
            let bravo = setup.players.iter_mut().find(|player| player.name == "Bravo");
            bravo.expect("a player").model_keys = own;
            let charlie = setup.players.iter_mut().find(|player| player.name == "Charlie");
            charlie.expect("a player").model_keys.response_format = Some(ResponseFormat::LegalMoves);
        });
        for told in [
            "Bravo: An answer has at most 500 tokens. Its move stands after \"Final Answer:\", in standard algebraic notation; the last one",
            "Another attempt has the prompt with the answer that failed and what was wrong with it.",
            "Charlie: An answer has at most 500 tokens. Its move stands in an object with \"uci_move\", and the service is told",
            "it is asked again for 5s, off the clock",
            "No call is made that might spend more than 2.500000 in all (in the unit of the prices) and 1000 requests: then the event pauses",
        ] {
            assert!(text.contains(told), "{told}: {text}");
        }
    }
}
