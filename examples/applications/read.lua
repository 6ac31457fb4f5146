#!/usr/bin/env lua5.3
-- SPDX-License-Identifier: BSD-3-Clause

-- An application that reads a run file, in Lua with lgi: says how far the run is, and prints the peak memory of each worker.
--
--     lua5.3 read.lua FILE

local lgi = require("lgi")
local Roast = lgi.require("Roast", "1")

local states = { GROWING = "running", CLOSED = "complete", INTERRUPTED = "interrupted" }

local function fail(message)
  io.stderr:write(message, "\n")
  os.exit(1)
end

-- A reader of two columns loads these two.
local function print_peaks(recording)
  local samples = assert(recording:read_table("worker_samples", { "worker", "memory" }))
  local workers, peaks = {}, {}

  while samples:next() do
    local worker = samples:get_string(0)

    if peaks[worker] == nil then
      table.insert(workers, worker)
      peaks[worker] = 0
    end
    peaks[worker] = math.max(peaks[worker], samples:get_int64(1, 0))
  end
  for _, worker in ipairs(workers) do
    print(worker, math.tointeger(peaks[worker]))
  end
end

if #arg ~= 1 then
  fail("usage: lua5.3 read.lua FILE")
end
local file, problem = Roast.RunFile.open(arg[1])
if not file then
  fail("read: " .. problem.message)
end
local recording
recording, problem = file:read()
if not recording then
  fail("read: " .. problem.message)
end
print(states[file:get_state()])
print_peaks(recording)
