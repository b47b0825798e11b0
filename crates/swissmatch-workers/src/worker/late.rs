//! Late entries at a worker: their files are fetched while games go on.
//!
//! May not: play.

use swiss_system::text::harmless;

use swissmatch_host::host::{HostOrder, HostReport};
use swissmatch_host::signature::Signers;

use super::playing::{Late, Playing};
use crate::admission::{AdmissionError, Ground, aside, bundle};
use crate::carrier::Carrier;
use crate::server::{Server, not};
use crate::wire::WorkerSays;

impl Playing<'_> {
    /// Starts to fetch missing agents' files, beside the games.
    pub(super) fn has_them_come(&mut self, ground: &Ground, server: &Server) {
        let known = (self.card.run.clone(), self.admitted.agents.clone());
        let (carrier, owners) = (self.carrier.clone(), self.me.owners.clone());
        let (ground, server) = (ground.clone(), server.clone());
        let come = async move { late(&carrier, &server, (&ground, &owners), known).await };
        self.coming = Some(tokio::spawn(come));
    }

    /// Takes note that late entries' files are here, or could not be fetched.
    pub(super) async fn has_come(
        &mut self,
        come: Result<Late, AdmissionError>,
        tell: &mut dyn FnMut(&str),
    ) -> Result<(), AdmissionError> {
        let taken = match come {
            Ok(late) => self.take_in(late, tell).await,
            Err(why) => Err(why),
        };
        match taken {
            Ok(()) => self.missed = None,
            // It is tried again when the runner next says what its card is; others may have them meanwhile.
            Err(AdmissionError::Carrier(why)) => {
                let why = why.to_string();
                if self.missed.as_ref() != Some(&why) {
                    tell(&why);
                    self.says(WorkerSays::Remark(why.clone())).await;
                    self.missed = Some(why);
                }
                let back = std::mem::take(&mut self.later).into_iter().flatten().collect();
                self.not_begun(back, "its agents have not come").await;
            }
            Err(why) => {
                tell(&why.to_string());
                self.says(WorkerSays::Remark(why.to_string())).await;
                self.finishes(tell).await;
            }
        }
        Ok(())
    }

    /// Lets late entries play here from now on.
    async fn take_in(&mut self, late: Late, tell: &mut dyn FnMut(&str)) -> Result<(), AdmissionError> {
        let known = self.admitted.agents.len();
        for (hash, come) in late.card.agents[known..].iter().zip(late.agents) {
            let is_here = come.is_some();
            // A player who does not play here has a place that is never used.
            let spec = match come {
                None => self.admitted.any.clone(),
                Some(spec) => {
                    tell(&format!("late entry: {}", harmless(&spec.player.name)));
                    spec
                }
            };
            self.admitted.host.order(HostOrder::Enter(Box::new(spec)));
            loop {
                match self.admitted.reports.recv().await {
                    Some(HostReport::Entered(Ok(()))) => break,
                    Some(HostReport::Entered(Err(why))) => return Err(AdmissionError::Here(why)),
                    Some(other) => self.hears(other, tell).await?,
                    None => return Err(AdmissionError::Here("this machine plays no more".to_owned())),
                }
            }
            self.admitted.here.push(is_here);
            self.admitted.agents.push(hash.clone());
        }
        (self.card_hash, self.card) = (late.signed.hash(), late.card);
        self.is_here().await;
        for task in std::mem::take(&mut self.later) {
            self.has_games(task).await;
        }
        Ok(())
    }
}

/// Fetches an event's missing agents with their files, while games go on.
async fn late(
    carrier: &Carrier,
    server: &Server,
    (ground, owners): (&Ground, &Signers),
    (run, known): (String, Vec<Option<String>>),
) -> Result<Late, AdmissionError> {
    let gone = || not("no card of the event")("it is not there");
    let signed = carrier.card().await?.ok_or_else(gone)?;
    let card = signed.open(owners).map_err(AdmissionError::Here)?;
    if card.run != run || card.agents.get(..known.len()) != Some(&known[..]) {
        return Err(AdmissionError::Here(
            "the event's agents are others than when it was joined".to_owned(),
        ));
    }
    let mut agents = Vec::new();
    for hash in &card.agents[known.len()..] {
        let bundle = match hash {
            Some(hash) => Some((hash.clone(), bundle(server, hash).await?)),
            None => None,
        };
        let bundle = bundle.filter(|(_, bundle)| ground.has_gpu_for(bundle));
        if let Some((_, bundle)) = &bundle {
            if let Some(why) = ground.allows.refuses(&bundle.agent) {
                return Err(AdmissionError::Here(why));
            }
            ground.bring(server, bundle).await?;
        }
        agents.push(match bundle {
            Some((hash, bundle)) => {
                let ground = ground.clone();
                Some(aside(move || ground.unpack(&hash, &bundle)).await??)
            }
            None => None,
        });
    }
    Ok(Late { signed, card, agents })
}
