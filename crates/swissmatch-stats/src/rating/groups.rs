//! Groups of players who can be compared: within each the fit is finite.
//!
//! A likelihood of Bradley and Terry has its maximum at finite strengths if, in every split of the players in two,
//! some of each half scored against the other half: L. R. Ford, "Solution of a ranking problem from binary
//! comparisons", American Mathematical Monthly 64 (1957) 28–33. So the groups are the strongly connected components
//! of "scored against".
//!
//! May not: fit anything.

use super::games::Bout;

/// The players in groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Groups {
    /// Each player's group. Groups are numbered by their first players.
    pub(super) of: Vec<usize>,
    /// The players of each group, ascending.
    pub(super) members: Vec<Vec<usize>>,
    /// For each group, the main one among those connected with it by games: that of the anchors, else the one with
    /// the most players, then with the most games, then the first.
    pub(super) main: Vec<usize>,
    /// The position of each group relative to its main one.
    pub(super) order: Vec<GroupOrder>,
}

/// The position of a player's group relative to the main group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupOrder {
    Main,
    /// It scored everything against the main group, or against others who did.
    Above,
    /// It scored nothing against the main group, or against others who scored nothing.
    Below,
    /// Neither: the players between them decide nothing.
    Apart,
}

/// The groups of this many players; those who are `tied` to each other are in one group whatever they scored.
pub(super) fn groups(players: usize, bouts: &[Bout], tied: &[usize]) -> Groups {
    let mut links = Links::new(players);
    for bout in bouts {
        let [one, other] = bout.players;
        let points = bout.points();
        if points > 0.0 {
            links.add(one, other);
        }
        if points < bout.games() {
            links.add(other, one);
        }
    }
    for pair in tied.windows(2) {
        links.add(pair[0], pair[1]);
        links.add(pair[1], pair[0]);
    }
    let (of, members) = links.strong();
    let mut games = vec![0.0; players];
    for bout in bouts {
        bout.players.iter().for_each(|&player| games[player] += bout.games());
    }
    let size = |group: &usize| {
        let members = &members[*group];
        let anchored = members.iter().any(|player| tied.contains(player));
        (
            (anchored, members.len()),
            members.iter().map(|&player| games[player]).sum::<f64>(),
        )
    };
    let mut main = vec![usize::MAX; members.len()];
    let mut order = vec![GroupOrder::Apart; members.len()];
    for first in 0..players {
        if main[of[first]] != usize::MAX {
            continue;
        }
        let connected = links.reached(first, &[&links.beaten, &links.lost_to]);
        let mut those: Vec<usize> = connected.iter().map(|&player| of[player]).collect();
        those.sort_unstable();
        those.dedup();
        // Of equals the first is the greatest.
        let greatest = those.iter().rev().max_by(|one, other| {
            let ((rank, games), (other_rank, other_games)) = (size(one), size(other));
            rank.cmp(&other_rank).then(games.total_cmp(&other_games))
        });
        let &greatest = greatest.expect("the player's own is among them");
        those.iter().for_each(|&group| main[group] = greatest);
        for (directions, found) in [(&links.beaten, GroupOrder::Below), (&links.lost_to, GroupOrder::Above)] {
            let start = members[greatest][0];
            links
                .reached(start, &[directions])
                .iter()
                .for_each(|&player| order[of[player]] = found);
        }
        order[greatest] = GroupOrder::Main;
    }
    Groups {
        of,
        members,
        main,
        order,
    }
}

/// True if White's advantage can be told apart from strengths. It cannot if some strengths put each White ahead of
/// its Black by the same amount, as when everybody always had the same colour. Those who are `tied` have one
/// strength.
pub(super) fn colours_tell(groups: &Groups, bouts: &[Bout], tied: &[usize]) -> bool {
    let players = groups.of.len();
    let tied_to = |player: usize| if tied.contains(&player) { tied[0] } else { player };
    let mut steps: Vec<Vec<(usize, i64)>> = vec![Vec::new(); players];
    for bout in bouts {
        let [one, other] = bout.players.map(tied_to);
        if groups.of[one] != groups.of[other] {
            continue;
        }
        for (counts, ahead) in bout.counts.iter().zip([1, -1]) {
            if counts.iter().sum::<f64>() > 0.0 {
                steps[one].push((other, -ahead));
                steps[other].push((one, ahead));
            }
        }
    }
    let mut strengths: Vec<Option<i64>> = vec![None; players];
    for first in 0..players {
        if strengths[first].is_some() {
            continue;
        }
        strengths[first] = Some(0);
        let mut open = vec![(first, 0)];
        while let Some((player, strength)) = open.pop() {
            for &(next, step) in &steps[player] {
                match strengths[next] {
                    None => {
                        strengths[next] = Some(strength + step);
                        open.push((next, strength + step));
                    }
                    Some(known) if known != strength + step => return true,
                    Some(_) => {}
                }
            }
        }
    }
    false
}

struct Links {
    /// For each player, those it scored against.
    beaten: Vec<Vec<usize>>,
    /// For each player, those who scored against it.
    lost_to: Vec<Vec<usize>>,
}

impl Links {
    fn new(players: usize) -> Self {
        Self {
            beaten: vec![Vec::new(); players],
            lost_to: vec![Vec::new(); players],
        }
    }

    fn add(&mut self, one: usize, other: usize) {
        self.beaten[one].push(other);
        self.lost_to[other].push(one);
    }

    /// All who can be reached from a player, including itself.
    fn reached(&self, from: usize, directions: &[&Vec<Vec<usize>>]) -> Vec<usize> {
        let mut seen = vec![false; self.beaten.len()];
        seen[from] = true;
        let mut found = vec![from];
        let mut next = 0;
        while let Some(&player) = found.get(next) {
            next += 1;
            for &other in directions.iter().flat_map(|direction| &direction[player]) {
                if !std::mem::replace(&mut seen[other], true) {
                    found.push(other);
                }
            }
        }
        found
    }

    /// The strongly connected components: each player's component, and their members. (Kosaraju and Sharir.)
    fn strong(&self) -> (Vec<usize>, Vec<Vec<usize>>) {
        let players = self.beaten.len();
        let mut seen = vec![false; players];
        let mut finished = Vec::with_capacity(players);
        for first in 0..players {
            if std::mem::replace(&mut seen[first], true) {
                continue;
            }
            let mut path = vec![(first, 0)];
            while let Some((player, next)) = path.last_mut() {
                match self.beaten[*player].get(*next) {
                    Some(&other) => {
                        *next += 1;
                        if !std::mem::replace(&mut seen[other], true) {
                            path.push((other, 0));
                        }
                    }
                    None => {
                        finished.push(*player);
                        path.pop();
                    }
                }
            }
        }
        let mut component = vec![usize::MAX; players];
        for &root in finished.iter().rev() {
            if component[root] != usize::MAX {
                continue;
            }
            component[root] = root;
            let mut open = vec![root];
            while let Some(player) = open.pop() {
                for &other in &self.lost_to[player] {
                    if component[other] == usize::MAX {
                        component[other] = root;
                        open.push(other);
                    }
                }
            }
        }
        let mut number = vec![usize::MAX; players];
        let mut members: Vec<Vec<usize>> = Vec::new();
        let mut of = Vec::with_capacity(players);
        for (player, &root) in component.iter().enumerate() {
            if number[root] == usize::MAX {
                number[root] = members.len();
                members.push(Vec::new());
            }
            of.push(number[root]);
            members[number[root]].push(player);
        }
        (of, members)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bouts of one game: who won, who lost.
    fn bouts(won: &[(usize, usize)]) -> Vec<Bout> {
        let bout = |&(winner, loser): &(usize, usize)| Bout {
            players: [winner.min(loser), winner.max(loser)],
            counts: match winner < loser {
                true => [[1.0, 0.0, 0.0], [0.0; 3]],
                false => [[0.0, 0.0, 1.0], [0.0; 3]],
            },
        };
        won.iter().map(bout).collect()
    }

    #[test]
    fn a_circle_is_a_group_and_those_around_it_are_ordered() {
        // 1, 2, 3 in a circle; 0 beats 1; 4 loses to 3, and to 5, who played nobody else; 6 and 7 play each other; 8
        // plays nobody.
        let won = [(1, 2), (2, 3), (3, 1), (0, 1), (3, 4), (5, 4), (6, 7)];
        let groups = groups(9, &bouts(&won), &[]);
        assert_eq!(groups.of, [0, 1, 1, 1, 2, 3, 4, 5, 6]);
        assert_eq!(groups.members[1], [1, 2, 3]);
        assert_eq!(groups.main, [1, 1, 1, 1, 4, 4, 6]);
        use GroupOrder::{Above, Apart, Below, Main};
        assert_eq!(groups.order, [Above, Main, Below, Apart, Main, Below, Main]);
    }

    #[test]
    fn a_longer_chain_than_any_stack_is_no_trouble() {
        let players = 200_000;
        let chain: Vec<_> = (1..players).map(|player| (player - 1, player)).collect();
        let alone = groups(players, &bouts(&chain), &[0, players - 1]);
        assert_eq!(alone.members.len(), 1);
        let pairs: Vec<_> = chain.chunks(2).flatten().copied().collect();
        assert_eq!(groups(players, &bouts(&pairs[..10]), &[]).members.len(), players);
    }

    #[test]
    fn colours_tell_unless_strengths_could_explain_them() {
        let white = |games: &[(usize, usize)]| {
            let games: Vec<Bout> = games
                .iter()
                .map(|&(white, black)| Bout {
                    players: [white.min(black), white.max(black)],
                    counts: match white < black {
                        true => [[1.0, 0.0, 1.0], [0.0; 3]],
                        false => [[0.0; 3], [1.0, 0.0, 1.0]],
                    },
                })
                .collect();
            colours_tell(&groups(4, &games, &[]), &games, &[])
        };
        assert!(!white(&[]));
        assert!(!white(&[(0, 1)]), "always the same colour");
        assert!(!white(&[(0, 1), (1, 2), (0, 3), (3, 2)]), "a ladder");
        assert!(white(&[(0, 1), (1, 0)]));
        assert!(white(&[(0, 1), (1, 2), (2, 0)]));
        assert!(white(&[(0, 1), (1, 2), (0, 2)]));
    }
}
