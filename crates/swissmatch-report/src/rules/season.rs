//! What is before an event: what players hand in, and the rounds of a ladder by it.

use swiss_system::count;
use swiss_system::pairing::nearest::RECENT;
use swiss_system::text::harmless;
use swiss_system::word::Word as _;

use super::RulesSection;
use swissmatch_tournament::setup::{Contract, Seeding, Setup};

/// What players hand in.
pub(super) fn submissions(setup: &Setup) -> RulesSection {
    let keys = &setup.submissions;
    let Some(contract) = keys.contract else {
        return RulesSection::new("Submissions", []);
    };
    let zone = &setup.schedule.time_zone;
    let function = keys.function(contract).map_or_else(String::new, |function| {
        format!(", whose function {} is called for each move", harmless(function))
    });
    let (entry, most) = (harmless(keys.entry(contract)), keys.max_unpacked);
    let archive = match contract {
        Contract::Prompt => format!(
            "Players hand in the template of a prompt, by itself or as {entry} of an archive (zip). Unpacked it has {most} MB at most."
        ),
        Contract::GetMove | Contract::Kaggle | Contract::Uci => format!(
            "Players hand in an archive (zip) with {entry}{function}: the contract \"{}\". Unpacked it has {most} MB at most.",
            contract.word()
        ),
    };
    let per_day = keys.per_day.map(|most| {
        let accepted = count::of(most as usize, "submission", "submissions");
        format!("At most {accepted} of a player are accepted on a day ({zone}).")
    });
    let packages = keys.packages.as_ref().map(|packages| {
        let packages = count::of(packages.len(), "package", "packages");
        format!("All play in one environment of Python with {packages}, which manifest.json lists by version and hash.")
    });
    let lock = match keys.lock {
        Some(lock) => format!("What comes from {} on does not play.", zone.moment(lock)),
        None => "What comes after the event has begun does not play.".to_owned(),
    };
    let newest = format!("Of each player the newest submission plays that was accepted. {lock}");
    let out: Vec<_> = keys.out.iter().map(|name| harmless(name)).collect();
    let out = (!out.is_empty()).then(|| format!("Taken out by the organizer: {}.", out.join(", ")));
    RulesSection::new("Submissions", [Some(archive), per_day, packages, Some(newest), out])
}

/// The rounds of the ladder.
pub(super) fn ladder(setup: &Setup) -> RulesSection {
    let keys = &setup.ladder;
    let Some(schedule) = keys.schedule else {
        return RulesSection::new("Ladder", []);
    };
    let due = format!(
        "Until submissions are locked there are rated rounds: {schedule}, by the clocks of {}.",
        setup.schedule.time_zone
    );
    let games = count::of(keys.games as usize, "game", "games");
    let pairs = format!(
        "Opponents are near to each other in the ladder, and have not met in the last {RECENT} rounds if that can be avoided. They play \
         {games}. White goes to whoever had it less. Of an odd number whoever sat out least sits out, which is worth nothing."
    );
    let rating =
        "All rounds are rated together. What a player hands in anew sets out from the rating of what it had before.";
    let fixed: Vec<String> = keys
        .fixed
        .iter()
        .map(|(name, elo)| format!("{} ({elo})", harmless(name)))
        .collect();
    let fixed = (!fixed.is_empty()).then(|| format!("Ratings that do not move: {}.", fixed.join(", ")));
    let decides = match (keys.round.is_some(), setup.swiss.seeding) {
        (true, _) => None,
        (false, Seeding::Ladder) => Some("In the event the ladder decides the pairing numbers alone."),
        (false, _) => Some("In the event the ladder decides nothing."),
    };
    let decides = decides.map(str::to_owned);
    RulesSection::new(
        "Ladder",
        [Some(due), Some(pairs), Some(rating.to_owned()), fixed, decides],
    )
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;
    use crate::fixture;
    use crate::rules::markdown;
    use swissmatch_tournament::setup::LadderRound;

    fn season() -> Setup {
        let mut setup = fixture::created_only().setup().clone();
        setup.submissions.contract = Some(Contract::GetMove);
        let lock = "2026-09-11T18:00:00+01:00".parse().expect("a time");
        setup.submissions.lock = Some(lock);
        setup.ladder.schedule = Some("hourly 08-22".parse().expect("a schedule"));
        setup.ladder.fixed.insert("Reference 1".to_owned(), 1500);
        setup
    }

    #[test]
    fn what_is_handed_in_and_how_the_ladder_goes_is_told() {
        let setup = season();
        let sections = [submissions(&setup), ladder(&setup)];
        let rules = sections.iter().flat_map(|section| &section.rules);
        assert_snapshot!(rules.map(|rule| rule.clone() + "\n").collect::<String>(), @r#"
        Players hand in an archive (zip) with agent.py, whose function get_move is called for each move: the contract "get-move". Unpacked it has 50 MB at most.
        At most 10 submissions of a player are accepted on a day (UTC).
        Of each player the newest submission plays that was accepted. What comes from 2026-09-11 17:00:00 +00:00 on does not play.
        Until submissions are locked there are rated rounds: hourly 08-22, by the clocks of UTC.
        Opponents are near to each other in the ladder, and have not met in the last 5 rounds if that can be avoided. They play 2 games. White goes to whoever had it less. Of an odd number whoever sat out least sits out, which is worth nothing.
        All rounds are rated together. What a player hands in anew sets out from the rating of what it had before.
        Ratings that do not move: Reference 1 (1500).
        In the event the ladder decides nothing.
        "#);
        let mut setup = season();
        setup.submissions.contract = Some(Contract::Prompt);
        let said = &submissions(&setup).rules[0];
        assert!(
            said.starts_with("Players hand in the template of a prompt, by itself or as prompt.jinja of an archive"),
            "{said}"
        );
    }

    #[test]
    fn a_round_of_a_ladder_has_no_rules_of_pairing_but_those_of_its_ladder() {
        let mut setup = season();
        let of_event = markdown(&setup, setup.plan(), &[]);
        let headings = ["## Ladder", "## Format", "## Pairing", "## Standings", "## Byes"];
        assert_eq!(
            headings.map(|heading| of_event.contains(heading)),
            [true; 5],
            "{of_event}"
        );
        setup.ladder.round = Some(LadderRound {
            number: 1,
            due: jiff::Timestamp::UNIX_EPOCH,
            submissions: 0,
            previous: None,
        });
        let of_round = markdown(&setup, setup.plan(), &[]);
        assert_eq!(
            headings.map(|heading| of_round.contains(heading)),
            [true, false, false, false, false],
            "{of_round}"
        );
    }
}
