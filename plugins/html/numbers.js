/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats numbers as in the report, by the rules of roast_format_number () and of the axes of charts. */
"use strict";

const roastNumbers = (() => {
  const UNITS = {
    "bytes": [1024, ["B", "KiB", "MiB", "GiB", "TiB", "PiB"]],
    "bytes-rate": [1000, ["B/s", "kB/s", "MB/s", "GB/s", "TB/s"]],
    "bits-rate": [1000, ["bps", "kbps", "Mbps", "Gbps", "Tbps"]],
    "rate": [1000, ["Hz", "kHz", "MHz", "GHz"]],
  };
  const DURATIONS = [[7200, 3600, "h"], [180, 60, "min"], [0.9995, 1, "s"], [9.995e-4, 1e-3, "ms"]];

  /* Format a number with fixed decimals as printf () does: a number exactly between two decimals is rounded to the one
     whose last digit is even. */
  function fixed(value, decimals) {
    const size = Math.abs(value);
    let text;
    if (size >= 1e21) text = BigInt(size).toString();
    else if (size * 2 ** (decimals + 1) % 2 === 1) {
      const below = (size * 2 ** (decimals + 1) * 5 ** decimals - 1) / 2;
      text = ((below % 2 === 0 ? below : below + 1) / 10 ** decimals).toFixed(decimals);
    } else text = size.toFixed(decimals);
    return (value < 0 || Object.is(value, -0) ? "-" : "") + text;
  }

  /* Format a number less than 0.1 like “%.3g”. */
  function threeDigits(value) {
    const [digits, exponent] = value.toExponential(2).split("e");
    if (Number(exponent) >= -4) return fixed(value, 2 - Number(exponent)).replace(/0+$/, "");
    return String(Number(digits)) + "e-" + exponent.slice(1).padStart(2, "0");
  }

  function short(value) {
    const size = Math.abs(value);
    if (size === 0 || size >= 99.95) return fixed(value, 0);
    if (size >= 9.995) return fixed(value, 1);
    if (size >= 0.9995) return fixed(value, 2);
    return size >= 0.09995 ? fixed(value, 3) : threeDigits(value);
  }

  function grouped(digits) {
    const text = digits.replace(/\B(?=(\d{3})+$)/g, "\u202f");
    return text === "-0" ? "0" : text;
  }

  function scaled(value, [base, units]) {
    if (base === 1024 && Math.abs(value) < 1023.5) return fixed(value, 0) + " " + units[0];
    let i = 0;
    for (; Math.abs(value) >= base * 0.9995 && i + 1 < units.length; i++) value /= base;
    return short(value) + " " + units[i];
  }

  function duration(seconds) {
    const size = Math.abs(seconds);
    if (size < 59.95) {
      if (seconds === 0 || size >= 0.9995) return short(seconds) + " s";
      return size >= 0.0009995 ? short(seconds * 1e3) + " ms" : short(seconds * 1e6) + " µs";
    }
    const whole = Math.round(size);
    const two = (number) => String(number).padStart(2, "0");
    const sign = seconds < 0 ? "-" : "";
    if (whole < 3600) return sign + Math.floor(whole / 60) + " min " + two(whole % 60) + " s";
    return sign + Math.floor(whole / 3600) + " h " + two(Math.floor(whole / 60) % 60) + " min " + two(whole % 60) + " s";
  }

  function format(value, kind) {
    if (!Number.isFinite(value)) return "not available";
    if (kind === "duration") return duration(value);
    if (UNITS[kind]) return scaled(value, UNITS[kind]);
    if (kind === "count") return grouped(fixed(value, 0));
    if (kind === "percent") return short(value * 100) + " %";
    return Math.abs(value) >= 1000 ? grouped(fixed(value, 0)) : short(value);
  }

  /* Return [factor, unit] for an axis whose largest number is size. Labels show the numbers divided by factor. */
  function findUnit(size, kind) {
    size = Math.abs(size);
    if (kind === "duration") {
      if (size === 0) return [1, "s"];
      const found = DURATIONS.find(([least]) => size >= least);
      return found ? found.slice(1) : [1e-6, "µs"];
    }
    if (UNITS[kind]) {
      const [base, units] = UNITS[kind];
      let factor = 1;
      let i = 0;
      for (; size >= base * factor * 0.9995 && i + 1 < units.length; i++) factor *= base;
      return [factor, units[i]];
    }
    if (kind === "percent") return [0.01, "%"];
    if (size >= 1e13) return [1e12, "10¹²"];
    if (size >= 1e10) return [1e9, "10⁹"];
    return size >= 1e7 ? [1e6, "10⁶"] : [1, ""];
  }

  /* Return the label of a tick. step is the distance between ticks; value and step are in the unit of the axis. */
  function label(value, step) {
    const decimals = Math.max(0, Math.min(6, -Math.floor(Math.log10(step) + 1e-9)));
    const text = decimals === 0 ? grouped(fixed(value, 0)) : fixed(value, decimals);
    return /^-[0.]*$/.test(text) ? text.slice(1) : text;
  }

  /* Round a number up to 1, 2 or 5 times a power of ten. */
  function niceStep(least) {
    const power = 10 ** Math.floor(Math.log10(least));
    const found = [1, 2, 5, 10].find((step) => step * power >= least * (1 - 1e-9));
    return found * power;
  }

  /* Return the distance between ticks, which is at least least. For minutes and hours, choose usual steps such as 0.25,
     15 and 30; for all other units, choose a nice step. */
  function stepOf(least, kind, unit) {
    if (kind === "duration" && (unit === "min" || unit === "h") && least > 0.1) {
      const found = [0.25, 0.5, 1, 2, 5, 10, 15, 30, 60].find((step) => step >= least * (1 - 1e-9));
      if (found) return found;
    }
    return niceStep(least);
  }

  return { format, findUnit, label, niceStep, stepOf };
})();
