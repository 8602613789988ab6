-- What wrk runs: numbered requests, and the figures as one line of JSON.
--
--   wrk … -s load.lua URL                              GETs the URL
--   wrk … -s load.lua URL -- METHOD PATH BODY FIRST    {n} in path and body counts on from FIRST

local method, path, body, number

function init(args)
  method, path, body, number = args[1], args[2], args[3], tonumber(args[4])
  if method == nil then return end
  if body ~= "" then wrk.headers["Content-Type"] = "application/json" end
  request = function()
    local text = string.format("%.0f", number)
    number = number + 1
    local payload = body ~= "" and body:gsub("{n}", text) or nil
    return wrk.format(method, (path:gsub("{n}", text)), nil, payload)
  end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"microseconds":%d,"bytes":%d,"mean":%.1f,"p50":%d,"p99":%d,' ..
    '"refused":%d,"failed":%d}\n',
    summary.requests, summary.duration, summary.bytes, latency.mean,
    latency:percentile(50), latency:percentile(99),
    errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
