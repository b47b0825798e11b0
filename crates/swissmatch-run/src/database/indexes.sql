CREATE INDEX games_by_mini_match ON games (mini_match_id);
CREATE INDEX games_by_white ON games (white_pairing_number);
CREATE INDEX games_by_black ON games (black_pairing_number);
CREATE INDEX faults_by_game ON faults (game_id);
CREATE INDEX faults_by_player ON faults (pairing_number);
CREATE INDEX calls_by_game ON calls (game_id);
CREATE INDEX calls_by_player ON calls (pairing_number);
