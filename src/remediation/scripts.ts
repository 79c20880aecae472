import { createHash } from 'node:crypto';

/** A Lua script of a plan. Its text has no comments: it is sent as one argument, and EVALSHA names it by its hash. */
export interface PlanScript {
  readonly name: ScriptName;
  readonly lua: string;
  readonly sha1: string;
  /** What it does, for people. */
  readonly about: string;
}

export type ScriptName =
  | 'unlink'
  | 'isolate'
  | 'drain'
  | 'trim'
  | 'expire'
  | 'split-begin'
  | 'split-copy'
  | 'split-end';

/**
 * Up to Redis 4 a script that reads at random may only write when its effects are replicated, not itself. Source:
 * scripting.c, `redis.replicate_commands` (Redis 3.2; always so from 7.0 on).
 */
const EFFECTS = 'if redis.replicate_commands then redis.replicate_commands() end';

/** How many elements a key has; -1 where there is no such command, and then its size is not checked. */
const SIZE = `
local function size(key, kind)
  local command = ({string='STRLEN', list='LLEN', set='SCARD', zset='ZCARD', hash='HLEN', stream='XLEN'})[kind]
  if not command then return -1 end
  return redis.call(command, key)
end`;

/** Why a key is not what the snapshot said: nil when it is. */
const CHANGED = `${SIZE}
local function changed(key, kind, least, most)
  local now = redis.call('TYPE', key).ok
  if now == 'none' then return 'skipped: the key is gone' end
  if now ~= kind then return 'skipped: the key is a ' .. now .. ' now' end
  local count = size(key, kind)
  if count >= 0 and (count < tonumber(least) or count > tonumber(most)) then
    return 'skipped: its size is ' .. count .. ' now'
  end
  return nil
end`;

const SOURCES: Readonly<Record<ScriptName, { readonly about: string; readonly lua: string }>> = {
  unlink: {
    about:
      'KEYS key; ARGV type, least size, most size, command. Deletes the key when it still is what it was.',
    lua: `${CHANGED}
local why = changed(KEYS[1], ARGV[1], ARGV[2], ARGV[3])
if why then return why end
redis.call(ARGV[4], KEYS[1])
return 'unlinked'`,
  },
  isolate: {
    about:
      'KEYS key, new name; ARGV type, least size, most size. Renames the key, so that nobody else uses it while it is emptied, and takes its TTL off, so that it is not deleted at once.',
    lua: `${CHANGED}
local why = changed(KEYS[1], ARGV[1], ARGV[2], ARGV[3])
if why then return why end
if redis.call('RENAMENX', KEYS[1], KEYS[2]) == 0 then return 'skipped: an earlier run is not finished' end
redis.call('PERSIST', KEYS[2])
return 'isolated'`,
  },
  drain: {
    about:
      'KEYS key, where the cursor is kept; ARGV batch. Removes one batch of elements and tells how many are left.',
    lua: `${EFFECTS}
local key, batch = KEYS[1], tonumber(ARGV[1])
local kind = redis.call('TYPE', key).ok
if kind == 'none' then redis.call('DEL', KEYS[2]) return 0 end
if kind == 'list' then
  redis.call('LTRIM', key, batch, -1)
  return redis.call('LLEN', key)
end
if kind == 'stream' then
  local count = redis.call('XLEN', key)
  if count > batch then
    redis.call('XTRIM', key, 'MAXLEN', count - batch)
    return count - batch
  end
end
local scan = ({hash='HSCAN', set='SSCAN', zset='ZSCAN'})[kind]
if not scan then
  redis.call('UNLINK', key)
  return 0
end
local remove = ({hash='HDEL', set='SREM', zset='ZREM'})[kind]
local step = kind == 'set' and 1 or 2
local cursor = redis.call('GET', KEYS[2]) or '0'
local found = redis.call(scan, key, cursor, 'COUNT', batch)
local names = {}
for i = 1, #found[2], step do
  if #names == batch then break end
  names[#names + 1] = found[2][i]
end
if #names > 0 then redis.call(remove, key, unpack(names)) end
local left = redis.call(({hash='HLEN', set='SCARD', zset='ZCARD'})[kind], key)
if left == 0 then redis.call('DEL', KEYS[2]) return 0 end
if #names * step >= #found[2] then cursor = found[1] end
redis.call('SET', KEYS[2], cursor, 'EX', 86400)
return left`,
  },
  trim: {
    about:
      'KEYS key; ARGV type, batch, elements to keep, side to cut. Cuts one batch off that side and tells how many are too many still.',
    lua: `local key, batch, keep, side = KEYS[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
local kind = redis.call('TYPE', key).ok
if kind ~= ARGV[1] then return 'skipped: the key is a ' .. kind .. ' now' end
local count = redis.call(({list='LLEN', zset='ZCARD', stream='XLEN'})[kind], key)
local cut = math.min(batch, count - keep)
if cut <= 0 then return 0 end
if kind == 'list' and side == 'head' then redis.call('LTRIM', key, cut, -1)
elseif kind == 'list' then redis.call('LTRIM', key, 0, -cut - 1)
elseif kind == 'zset' and side == 'low' then redis.call('ZREMRANGEBYRANK', key, 0, cut - 1)
elseif kind == 'zset' then redis.call('ZREMRANGEBYRANK', key, -cut, -1)
else redis.call('XTRIM', key, 'MAXLEN', count - cut) end
return count - cut - keep`,
  },
  expire: {
    about:
      'KEYS keys; ARGV for each: type, milliseconds. Gives a TTL to those that still are of their type and have none.',
    lua: `local given = 0
for i, key in ipairs(KEYS) do
  if redis.call('TYPE', key).ok == ARGV[2 * i - 1] and redis.call('PTTL', key) == -1 then
    given = given + redis.call('PEXPIRE', key, ARGV[2 * i])
  end
end
return given .. ' of ' .. #KEYS .. ' keys got a TTL'`,
  },
  'split-begin': {
    about:
      'KEYS hash, where the cursor is kept, bucket name without its number; ARGV least size, most size, buckets, digits. Makes sure that nothing is in the way.',
    lua: `${CHANGED}
local why = changed(KEYS[1], 'hash', ARGV[1], ARGV[2])
if why then return why end
for i = 0, ARGV[3] - 1 do
  local name = KEYS[3] .. string.format('%0' .. ARGV[4] .. 'd', i)
  if redis.call('EXISTS', name) == 1 then return 'skipped: there is a key ' .. name .. ' already' end
end
redis.call('SET', KEYS[2], '0', 'EX', 86400)
return 'ready'`,
  },
  'split-copy': {
    about:
      'KEYS as above; ARGV batch, buckets, digits. Copies one batch of fields, each into the bucket that the first 8 hexadecimal digits of its SHA-1 tell, modulo the buckets.',
    lua: `${EFFECTS}
local cursor = redis.call('GET', KEYS[2])
if not cursor then return 'skipped: not begun' end
if cursor == 'copied' then return 0 end
local found = redis.call('HSCAN', KEYS[1], cursor, 'COUNT', ARGV[1])
for i = 1, #found[2], 2 do
  local bucket = tonumber(string.sub(redis.sha1hex(found[2][i]), 1, 8), 16) % ARGV[2]
  redis.call('HSET', KEYS[3] .. string.format('%0' .. ARGV[3] .. 'd', bucket), found[2][i], found[2][i + 1])
end
local done = found[1] == '0'
redis.call('SET', KEYS[2], done and 'copied' or found[1], 'EX', 86400)
return done and 0 or 1`,
  },
  'split-end': {
    about:
      'KEYS as above; ARGV buckets, digits. Compares the counts and gives the buckets the TTL of the hash.',
    lua: `if redis.call('GET', KEYS[2]) ~= 'copied' then return 'skipped: not copied' end
local ttl, copied = redis.call('PTTL', KEYS[1]), 0
for i = 0, ARGV[1] - 1 do
  local name = KEYS[3] .. string.format('%0' .. ARGV[2] .. 'd', i)
  copied = copied + redis.call('HLEN', name)
  if ttl > 0 then redis.call('PEXPIRE', name, ttl) end
end
redis.call('DEL', KEYS[2])
local count = redis.call('HLEN', KEYS[1])
if copied ~= count then return 'differs: ' .. copied .. ' fields were copied, the hash has ' .. count .. ' now' end
return 'copied ' .. copied .. ' fields'`,
  },
};

/** A script by its name. */
export function planScript(name: ScriptName): PlanScript {
  const { about, lua } = SOURCES[name];
  const text = lua.trim();
  return { name, about, lua: text, sha1: createHash('sha1').update(text).digest('hex') };
}

/** The bucket of a field, as `split-copy` tells it: for applications that read and write the buckets. */
export function bucketOf(field: Uint8Array, buckets: number): number {
  return Number.parseInt(createHash('sha1').update(field).digest('hex').slice(0, 8), 16) % buckets;
}
