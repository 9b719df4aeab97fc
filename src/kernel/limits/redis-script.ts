import { createHash } from 'node:crypto';

/**
 * Evaluates decisions, each over any number of limits, atomically for all users of the server. It behaves like the counters in memory; one
 * test suite checks both. Written without functions and with few tables, because every closure costs Redis as much as a command.
 *
 * KEYS: one for each use of each decision. ARGV: for each decision the jar's time, an id for slots and the number of its uses, then six for
 * each use: kind and mode by their first letters, cost, maximum, expiry in ms, a and b. Kinds: bucket (a: refill per second), fixed window
 * (a: length), sliding window (a: length, b: slice), concurrency (a: now, b: end of the lease, both in real time). Modes: enforced, shadow,
 * unlimited.
 *
 * Returns integers: for each decision whether it is allowed, then for each use whether there was too little (1: the limit is exceeded, 2:
 * the mode is unlimited), the number of remaining units, and the wait in ms (-1: for ever).
 *
 * Stored values: tokens, time and size of a bucket, start and usage of a fixed window, as doubles; for a sliding window its slice length
 * and then the slices as text; for concurrency a sorted set of ids by the end of their lease.
 */
export const TAKE = `
local floor, ceil, call, byte = math.floor, math.ceil, redis.call, string.byte
local left, at, list, before, first, exceeded, waits, answer = {}, {}, {}, {}, {}, {}, {}, {}
local base, p, size = 0, 1, 0
while base < #KEYS do
  local now, n, ok = tonumber(ARGV[p]), tonumber(ARGV[p + 2]), true
  local id, uses = ARGV[p + 1], p + 3
  for i = 1, n do
    local key, q = KEYS[base + i], uses + i * 6 - 6
    local kind, mode = byte(ARGV[q], 1, 2)
    local cost, max, a = tonumber(ARGV[q + 1]), tonumber(ARGV[q + 2]), tonumber(ARGV[q + 4])
    local b = kind == 115 and tonumber(ARGV[q + 5]) or 0
    local j = i
    for k = 1, i - 1 do if KEYS[base + k] == key then j = k break end end
    first[i] = j
    if j == i then
      if kind == 98 then
        local raw = call('GET', key)
        if raw then
          local tokens, time, size = struct.unpack('ddd', raw)
          local elapsed = now - time
          if max > size then tokens = tokens + max - size end
          if elapsed > 0 then
            tokens, time = tokens + elapsed * a / 1000, now
          elseif elapsed < -5000 then
            -- Kept even if this call is refused: a time that lies ahead would keep the bucket from filling.
            time = now
            call('SET', key, struct.pack('ddd', tokens, time, max), 'PX', ARGV[q + 3])
          end
          if tokens > max then tokens = max end
          left[i], at[i] = tokens, time
        else
          left[i], at[i] = max, now
        end
      elseif kind == 102 then
        local raw, start, used = call('GET', key), floor(now / a) * a, 0
        if raw then
          local time, count = struct.unpack('dd', raw)
          if time == start or (start < time and time - now <= 5000) then start, used = time, count end
        end
        left[i], at[i] = max - used, start
      elseif kind == 115 then
        local raw, slices, used, length = call('GET', key), {}, 0, nil
        if raw then
          for slice, count in string.gmatch(raw, '(%-?%d+):(%S+)') do
            slice = tonumber(slice)
            if length == nil then length = slice
            elseif length == b and (slice + 1) * b + a > now then
              count = tonumber(count)
              slices[#slices + 1] = {slice, count}
              used = used + count
            end
          end
          local last = slices[#slices]
          if last and last[1] * b - now > 5000 then slices, used = {}, 0 end
        end
        left[i], list[i] = max - used, slices
      else
        call('ZREMRANGEBYSCORE', key, '-inf', ARGV[q + 4])
        left[i] = max - call('ZCARD', key)
      end
      before[i] = left[i]
    end

    local short, wait = left[j] < cost - 1e-6, 0
    exceeded[i] = short and 2 or 0
    if short and mode ~= 117 then
      exceeded[i] = 1
      if mode == 101 then ok = false end
      if cost > max + 1e-6 then wait = -1
      elseif kind == 98 then wait = a == 0 and -1 or (cost - left[j]) * 1000 / a + math.max(0, at[j] - now)
      elseif kind == 102 then wait = at[j] + a - now
      elseif kind == 115 then
        local missing = cost - left[j]
        for _, each in ipairs(list[j]) do
          if missing <= 1e-6 then break end
          missing, wait = missing - each[2], (each[1] + 1) * b + a - now
        end
      else wait = 1000 end
    end
    waits[i] = ceil(wait - 1e-6)
    if not (short and (mode == 101 or kind == 98)) then
      left[j] = left[j] - cost
      if kind == 115 and cost > 0 then
        local slice, slices = floor(now / b), list[j]
        local last = slices[#slices]
        if last and last[1] >= slice then last[2] = last[2] + cost else slices[#slices + 1] = {slice, cost} end
      end
    end
    -- Of a key that is used twice, each use is told what it left.
    if j ~= i then left[i] = left[j] end
    answer[size + i * 3] = floor(left[j] + 1e-6)
  end

  answer[size + 1] = ok and 1 or 0
  for i = 1, n do
    answer[size + i * 3 - 1] = exceeded[i]
    if not ok then answer[size + i * 3] = floor(before[first[i]] + 1e-6) end
    answer[size + i * 3 + 1] = waits[i]
    if ok and first[i] == i and left[i] ~= before[i] then
      local key, q = KEYS[base + i], uses + i * 6 - 6
      local kind, expiry = byte(ARGV[q]), ARGV[q + 3]
      if kind == 98 then call('SET', key, struct.pack('ddd', left[i], at[i], tonumber(ARGV[q + 2])), 'PX', expiry)
      elseif kind == 102 then
        call('SET', key, struct.pack('dd', at[i], tonumber(ARGV[q + 2]) - left[i]), 'PX', expiry)
      elseif kind == 115 then
        local parts = {ARGV[q + 5] .. ':0'}
        for _, each in ipairs(list[i]) do parts[#parts + 1] = string.format('%.17g:%.17g', each[1], each[2]) end
        call('SET', key, table.concat(parts, ' '), 'PX', expiry)
      else
        for k = 1, before[i] - left[i] do call('ZADD', key, ARGV[q + 5], id .. ':' .. k) end
        call('PEXPIRE', key, expiry)
      end
    end
  end
  base, p, size = base + n, uses + n * 6, size + 1 + n * 3
end
return answer
`;

export const TAKE_SHA = createHash('sha1').update(TAKE).digest('hex');
