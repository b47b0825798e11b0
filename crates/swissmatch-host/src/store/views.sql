CREATE VIEW IF NOT EXISTS v1_players AS
SELECT
  numbers.key + 1 AS pairing_number, players.value ->> 'name' AS name, players.value ->> 'rating' AS rating,
  players.value ->> 'team' AS team, players.value ->> 'author' AS author, entries.seq AS log_entry
FROM entries
JOIN json_each(entries.body, '$.order') AS numbers
JOIN json_each(entries.body, '$.setup.players') AS players ON players.key = numbers.value
WHERE entries.kind = 'created'
UNION ALL
SELECT
  (SELECT json_array_length(body, '$.order') FROM entries WHERE kind = 'created') + row_number() OVER (ORDER BY seq),
  body ->> '$.player.name', body ->> '$.player.rating', body ->> '$.player.team', body ->> '$.player.author', seq
FROM entries
WHERE kind = 'acted' AND body ->> 'act' = 'enter';
CREATE VIEW IF NOT EXISTS v1_pairings AS
SELECT
  body ->> 'round' AS round, 0 AS playoff, pairs.key + 1 AS board, pairs.value ->> 'white' AS white_pairing_number,
  pairs.value ->> 'black' AS black_pairing_number, pairs.value ->> 'repeat' AS is_repeat, seq AS log_entry, at AS paired_at
FROM entries
JOIN json_each(body, '$.pairing.pairs') AS pairs
WHERE kind = 'round-paired'
UNION ALL
SELECT
  body ->> 'round', body ->> 'playoff', boards.key + 1, boards.value ->> 'white',
  boards.value ->> 'black', 0, seq, at
FROM entries
JOIN json_each(body, '$.boards') AS boards
WHERE kind = 'playoff-paired' AND seq IN (
  SELECT max(seq) FROM entries WHERE kind = 'playoff-paired' GROUP BY body ->> 'round', body ->> 'playoff'
);
CREATE VIEW IF NOT EXISTS v1_games_as_played AS
SELECT
  body ->> 'id' AS name, body ->> 'white' AS white_pairing_number, body ->> 'black' AS black_pairing_number,
  body ->> 'result' AS result, body ->> 'termination' AS termination, body ->> 'lost_by' AS lost_by, body ->> 'plies' AS plies,
  body ->> '$.thinking[0].moves' AS white_moves, body ->> '$.thinking[1].moves' AS black_moves,
  body ->> '$.thinking[0].time_us' AS white_time_us, body ->> '$.thinking[1].time_us' AS black_time_us,
  body ->> '$.failed_attempts[0]' AS white_failed_attempts, body ->> '$.failed_attempts[1]' AS black_failed_attempts,
  body ->> 'movetext' AS movetext, body ->> 'record' AS record, seq AS log_entry, at AS ended_at
FROM entries
WHERE kind = 'game-finished' AND seq IN (
  SELECT max(seq) FROM entries WHERE kind = 'game-finished' GROUP BY body ->> 'id'
);
CREATE VIEW IF NOT EXISTS v1_moves_as_played AS
SELECT
  games.name AS game,
  moves.key + 1 + CASE coalesce(blobs.body ->> '$.opening.moves', '') WHEN '' THEN 0 ELSE
    length(blobs.body ->> '$.opening.moves') - length(replace(blobs.body ->> '$.opening.moves', ' ', '')) + 1
  END AS ply,
  moves.value AS uci,
  blobs.body ->> ('$.time_us[' || moves.key || ']') AS time_us,
  blobs.body ->> ('$.clock_us[' || moves.key || ']') AS clock_us,
  blobs.body ->> ('$.eval[' || moves.key || ']') AS eval,
  blobs.body ->> ('$.depth[' || moves.key || ']') AS depth,
  blobs.body ->> ('$.nodes[' || moves.key || ']') AS nodes
FROM v1_games_as_played AS games
JOIN blobs ON blobs.hash = games.record
JOIN json_each('["' || replace(blobs.body ->> 'moves', ' ', '","') || '"]') AS moves
WHERE moves.value <> '';
CREATE VIEW IF NOT EXISTS v1_failed_attempts AS
SELECT
  games.name AS game, attempts.value ->> 'side' AS side,
  CASE attempts.value ->> 'side' WHEN 'white' THEN games.white_pairing_number ELSE games.black_pairing_number END AS pairing_number,
  attempts.value ->> 'attempt' AS attempt,
  CASE json_type(attempts.value, '$.end') WHEN 'text' THEN attempts.value ->> 'end'
    ELSE (SELECT key FROM json_each(attempts.value, '$.end')) END AS fault,
  CASE json_type(attempts.value, '$.end') WHEN 'text' THEN NULL
    ELSE (SELECT value FROM json_each(attempts.value, '$.end')) END AS said,
  attempts.value ->> 'time_us' AS time_us
FROM v1_games_as_played AS games
JOIN blobs ON blobs.hash = games.record
JOIN json_each(blobs.body, '$.failed_attempts') AS attempts;
CREATE VIEW IF NOT EXISTS v1_calls AS
SELECT
  games.name AS game, calls.value ->> 'side' AS side,
  CASE calls.value ->> 'side' WHEN 'white' THEN games.white_pairing_number ELSE games.black_pairing_number END AS pairing_number,
  calls.value ->> 'input' AS input_tokens, calls.value ->> 'cached' AS cached_tokens,
  calls.value ->> 'output' AS output_tokens, calls.value ->> 'reasoning' AS reasoning_tokens,
  calls.value ->> 'cost' AS cost, calls.value ->> 'first_byte_us' AS first_byte_us,
  calls.value ->> 'latency_us' AS latency_us, coalesce(calls.value ->> 'off_clock_us', 0) AS off_clock_us,
  calls.value ->> 'tries' AS tries, calls.value ->> 'finish' AS finish, calls.value ->> 'model' AS model,
  calls.value ->> 'fingerprint' AS fingerprint, calls.value ->> 'failed' AS failed
FROM v1_games_as_played AS games
JOIN blobs ON blobs.hash = games.record
JOIN json_each(blobs.body, '$.calls.list') AS calls;
CREATE VIEW IF NOT EXISTS v1_acts AS
SELECT
  seq AS log_entry, at, body ->> 'act' AS act, body ->> 'game' AS game, body ->> 'round' AS round,
  CASE json_type(body, '$.player') WHEN 'integer' THEN body ->> 'player' END AS pairing_number, body ->> 'result' AS result,
  body ->> 'by' AS by, body ->> 'reason' AS reason
FROM entries
WHERE kind = 'acted';
