-- @title     Short-lived by name, but without a TTL
-- @topic     lifecycle
-- @severity  warning
-- @report    lifecycle
-- @param     words     text   cache,session,sess,token,otp,captcha,nonce,lock,tmp,temp,limit,ratelimit,throttle,verify,verification,csrf,oauth,jwt  Words of a name that promise an end.
-- @param     min_keys  count  10   Keys without a TTL from which it counts.
-- @param     min_share  ratio  0.1  And their share of the prefix's keys; below, see mixed-ttl.
-- @keys      expires_at_ms IS NULL
-- @action    expire
-- @reason    Caches, sessions, tokens and locks are written again when they are needed; without a TTL the ones nobody needs
--            any more stay for ever, and the instance fills until it evicts or refuses.
-- @remedy    Set the TTL in the same command as the value (SET ... EX), with some random seconds on top; give the keys that
--            are there one with rdbscope plan.
WITH children AS (
  SELECT parent_id, SUM(keys_without_ttl) AS keys_without_ttl, SUM(memory_without_ttl) AS memory_without_ttl
  FROM prefixes
  GROUP BY parent_id
), own AS (
  SELECT prefixes.id, prefixes.prefix, prefixes.own_keys,
         prefixes.keys_without_ttl - COALESCE(children.keys_without_ttl, 0) AS keys,
         prefixes.memory_without_ttl - COALESCE(children.memory_without_ttl, 0) AS memory_bytes
  FROM prefixes
  LEFT JOIN children ON children.parent_id = prefixes.id
)
SELECT id AS prefix_id, keys, memory_bytes, 'of ' || own_keys || ' keys' AS detail
FROM own
WHERE keys >= :min_keys AND keys > :min_share * own_keys AND has_word(prefix, :words) = 1;
