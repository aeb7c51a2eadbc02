#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <time.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <string>

#include "core.hpp"
#include "tables/exact.hpp"
#include "tables/hypergammon.hpp"
#include "tables/journal.hpp"
#include "tables/one_sided.hpp"
#include "tables/table_file.hpp"
#include "tables/two_sided.hpp"

namespace kibitz {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// When what a build has got to is kept again: every so many seconds, and so seldom that keeping takes a twentieth of the
// time at most. On a busy machine or a slow disk a large table would otherwise be kept rather than built.
class KeepClock {
 public:
  explicit KeepClock(double every) : every_(every) {}

  bool is_due() const { return seconds_since(kept_) >= wait_; }

  template <typename Keep>
  void keep(const Keep& keep) {
    const auto start = Clock::now();
    keep();
    kept_ = Clock::now();
    if (every_ > 0) wait_ = std::max(every_, 20 * std::chrono::duration<double>(kept_ - start).count());
  }

 private:
  double every_;
  double wait_ = every_;
  Clock::time_point kept_ = Clock::now();
};

// Why a table file cannot be used, as a word that the Python side turns into a sentence.
const char* word(TableProblem problem) {
  switch (problem) {
    case TableProblem::kNone: return "";
    case TableProblem::kMissing: return "missing";
    case TableProblem::kUnreadable: return "unreadable";
    case TableProblem::kForeign: return "foreign";
    case TableProblem::kOtherVersion: return "version";
    case TableProblem::kOtherTable: return "other";
    case TableProblem::kTruncated: return "truncated";
    case TableProblem::kDamaged: return "damaged";
    case TableProblem::kBusy: return "busy";
    case TableProblem::kDiskFull: return "full";
  }
  return "unknown";
}

// Tells Python how far a build is, and lets Ctrl-C through. The GIL is not held while building. An exception must not
// leave the builder's threads alone: it is kept, the build is told to stop, and `finish` throws it.
class Telling {
 public:
  explicit Telling(nb::object progress) : progress_(std::move(progress)) {}

  bool tell(double done, const std::string& detail) {
    nb::gil_scoped_acquire acquired;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (!progress_.is_none()) progress_(done, detail);
      return true;
    } catch (...) {
      error_ = std::current_exception();
      return false;
    }
  }

  void finish() {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  nb::object progress_;
  std::exception_ptr error_;
};

auto reporter(Telling& telling) {
  return [&telling](std::uint64_t done, std::uint64_t all) {
    return telling.tell(static_cast<double>(done) / static_cast<double>(all), "");
  };
}

// How many rounds a block of hypergammon takes is not known in advance: the change says how near it is.
auto step_reporter(Telling& telling) {
  return [&telling](const Hypergammon::Step& step) {
    // From 1 down to 1e-7, a change of which is as good as none.
    const double digits = step.change > 0 ? std::min(1.0, std::max(0.0, -std::log10(step.change) / 7)) : 1.0;
    // The last block is by far the largest.
    const double before = step.block < step.blocks ? 0.2 * (step.block - 1) / step.blocks : 0.2;
    const double share = step.block < step.blocks ? 0.2 / step.blocks : 0.8;
    char change[32];
    std::snprintf(change, sizeof change, "%.1e", step.change);
    return telling.tell(before + share * digits, "block " + std::to_string(step.block) + "/" +
                                                     std::to_string(step.blocks) + ", sweep " +
                                                     std::to_string(step.sweep) + ", change " + change);
  };
}

void check_rows(const Row* rows, std::size_t count, Shape shape) {
  for (std::size_t i = 0; i < count; ++i)
    if (!fits(rows[i], shape)) throw nb::index_error(std::to_string(i).c_str());
}

// --- one-sided -------------------------------------------------------------------------------------------------------

using OneSidedOrProblem = std::pair<std::optional<OneSided>, std::string>;

OneSided build_one_sided(int points, int checkers, int threads, nb::object progress) {
  Telling telling(std::move(progress));
  OneSided table;
  {
    nb::gil_scoped_release released;
    table = OneSided::build({points, checkers}, threads, reporter(telling));
  }
  telling.finish();
  return table;
}

// The rows and tails of a frame, one after the other; the state has their numbers, those before them, and the time.
OneSided::Keeping keeping_in(const Journal& journal, double& earlier, Clock::time_point start, double keep_every) {
  struct Progress {
    std::uint64_t rows = 0;
    KeepClock clock;
  };
  const auto progress = std::make_shared<Progress>(Progress{.clock = KeepClock(keep_every)});
  const auto restore = [&journal, &earlier, progress](std::vector<OneSided::Entry>& rows, std::vector<double>& tails) {
    journal.read([&](const Journal::State& state, std::span<const std::byte> bytes) {
      const auto [before, count, values, milliseconds] = state;
      if (before != rows.size() || bytes.size() != count * sizeof(OneSided::Entry) + values * sizeof(double))
        return false;
      const auto* entries = reinterpret_cast<const OneSided::Entry*>(bytes.data());
      const auto* numbers = reinterpret_cast<const double*>(bytes.data() + count * sizeof(OneSided::Entry));
      rows.insert(rows.end(), entries, entries + count);
      tails.insert(tails.end(), numbers, numbers + values);
      earlier = static_cast<double>(milliseconds) / 1000;
      return true;
    });
    progress->rows = rows.size();
  };
  const auto is_due = [progress] { return progress->clock.is_due(); };
  const auto keep = [&journal, &earlier, start, progress](std::span<const OneSided::Entry> rows,
                                                          std::span<const double> tails) {
    std::vector<std::byte> bytes(rows.size_bytes() + tails.size_bytes());
    if (!rows.empty()) std::memcpy(bytes.data(), rows.data(), rows.size_bytes());
    if (!tails.empty()) std::memcpy(bytes.data() + rows.size_bytes(), tails.data(), tails.size_bytes());
    const auto spent = static_cast<std::uint64_t>(1000 * (earlier + seconds_since(start)));
    progress->clock.keep([&] { journal.append({progress->rows, rows.size(), tails.size(), spent}, bytes); });
    progress->rows += rows.size();
  };
  return {restore, is_due, keep};
}

std::string save_one_sided(const OneSided& table, const std::string& path, double seconds) {
  TableProblem problem;
  const auto entries = std::as_bytes(table.entries());
  const auto tails = std::as_bytes(table.tails());
  auto file =
      TableFile::start(path, TableKind::kOneSided, table.shape(), entries.size() + tails.size(), false, problem);
  if (!file) return word(problem);
  std::memcpy(file->bytes().data(), entries.data(), entries.size());
  std::memcpy(file->bytes().data() + entries.size(), tails.data(), tails.size());
  file->header().rows = table.size();
  return file->finish(seconds) ? "" : "unreadable";
}

std::string write_one_sided(const std::string& path, int points, int checkers, int threads, nb::object progress,
                            double keep_every) {
  Telling telling(std::move(progress));
  std::string answer;
  {
    nb::gil_scoped_release released;
    const auto start = Clock::now();
    const Shape shape{points, checkers};
    const Journal journal(path + ".journal", TableKind::kOneSided, shape);
    double earlier = 0;
    const OneSided::Keeping keeping = keeping_in(journal, earlier, start, keep_every);
    const OneSided table = OneSided::build(shape, threads, reporter(telling), OneSided::Rules::kBearingOff, &keeping);
    if (table.size() > 0) {
      answer = save_one_sided(table, path, earlier + seconds_since(start));
      if (answer.empty()) journal.remove();
    }
  }
  telling.finish();
  return answer;
}

OneSidedOrProblem open_one_sided(const std::string& path, int points, int checkers, bool check) {
  TableProblem problem;
  const Shape shape{points, checkers};
  nb::gil_scoped_release released;
  auto file = TableFile::open(path, TableKind::kOneSided, shape, check, problem);
  if (!file) return {std::nullopt, word(problem)};
  const std::byte* bytes = std::as_const(*file).bytes().data();
  const std::size_t rows = RowNumbers(shape).size();
  const std::size_t all = file->header().size;
  if (file->header().rows != rows || all < rows * sizeof(OneSided::Entry)) return {std::nullopt, "damaged"};
  const std::span entries(reinterpret_cast<const OneSided::Entry*>(bytes), rows);
  const std::span tails(reinterpret_cast<const double*>(bytes + rows * sizeof(OneSided::Entry)),
                        (all - rows * sizeof(OneSided::Entry)) / sizeof(double));
  return {OneSided(shape, entries, tails, file), ""};
}

auto one_sided_numbers(const OneSided& table, const Rows& rows) {
  const std::size_t count = rows.shape(0);
  check_rows(rows_of(rows), count, table.shape());
  std::vector<std::uint32_t> numbers(count);
  {
    nb::gil_scoped_release released;
    for (std::size_t i = 0; i < count; ++i) numbers[i] = table.number(rows_of(rows)[i]);
  }
  return to_numpy<std::uint32_t>(std::move(numbers), {count});
}

auto one_sided_look_up(const OneSided& table, const Rows& rows) {
  const std::size_t count = rows.shape(0);
  check_rows(rows_of(rows), count, table.shape());
  std::vector<double> values(count * 8);
  {
    nb::gil_scoped_release released;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t number = table.number(rows_of(rows)[i]);
      const Turns all = table.turns(number);
      const Turns first = table.first_turns(number);
      const double found[8] = {table.mean(number),  std::sqrt(all.variance()), double(all.least),
                               double(all.most),    table.first_mean(number),  std::sqrt(first.variance()),
                               double(first.least), double(first.most)};
      std::copy(found, found + 8, values.begin() + static_cast<std::ptrdiff_t>(8 * i));
    }
  }
  return to_numpy<double>(std::move(values), {count, 8});
}

auto one_sided_distribution(const OneSided& table, std::uint32_t number, bool first) {
  if (number >= table.size()) throw nb::index_error("there is no such row");
  const Turns turns = first ? table.first_turns(number) : table.turns(number);
  std::vector<double> chances(static_cast<std::size_t>(turns.most) + 1);
  for (int n = 0; n <= turns.most; ++n) chances[static_cast<std::size_t>(n)] = turns.probability(n);
  const std::size_t size = chances.size();
  return to_numpy<double>(std::move(chances), {size});
}

auto one_sided_win(const OneSided& table, const Boards& boards) {
  const std::size_t count = boards.shape(0);
  check_rows(reinterpret_cast<const Row*>(boards.data()), 2 * count, table.shape());
  std::vector<double> chances(count);
  {
    nb::gil_scoped_release released;
    for (std::size_t i = 0; i < count; ++i) {
      const Position& position = positions(boards)[i];
      chances[i] =
          chance_to_be_first(table.turns(table.number(position.mine)), table.turns(table.number(position.theirs)));
    }
  }
  return to_numpy<double>(std::move(chances), {count});
}

std::vector<std::uint8_t> one_sided_row(const OneSided& table, std::uint32_t number) {
  if (number >= table.size()) throw nb::index_error("there is no such row");
  std::vector<std::uint8_t> row(static_cast<std::size_t>(table.shape().points));
  table.numbers().row(number, row.data());
  return row;
}

// --- two-sided -------------------------------------------------------------------------------------------------------

using TwoSidedOrProblem = std::pair<std::optional<TwoSided>, std::string>;

TwoSided build_two_sided(int points, int checkers, int threads, nb::object progress) {
  Telling telling(std::move(progress));
  TwoSided table;
  {
    nb::gil_scoped_release released;
    table = TwoSided::build({points, checkers}, threads, reporter(telling));
  }
  telling.finish();
  return table;
}

std::string write_two_sided(const std::string& path, int points, int checkers, int threads, nb::object progress,
                            double keep_every) {
  Telling telling(std::move(progress));
  std::string answer;
  {
    nb::gil_scoped_release released;
    const auto start = Clock::now();
    const Shape shape{points, checkers};
    const std::uint64_t entries = TwoSided::entries_of(shape);
    TableProblem problem;
    auto file = TableFile::start(path, TableKind::kTwoSided, shape, entries * sizeof(TwoSided::Entry), true, problem);
    if (!file) return word(problem);
    auto* data = reinterpret_cast<TwoSided::Entry*>(file->bytes().data());
    KeepClock clock(keep_every);
    std::uint64_t reached = file->header().progress;
    const auto checkpoint = [&](std::uint64_t row) {
      reached = row;
      if (clock.is_due()) clock.keep([&] { file->keep(row); });
    };
    if (TwoSided::build_into(shape, {data, entries}, threads, reporter(telling), reached, checkpoint)) {
      answer = file->finish(seconds_since(start)) ? "" : "unreadable";
    } else {
      file->keep(reached);
      file->header().milliseconds += static_cast<std::uint64_t>(1000 * seconds_since(start));
    }
  }
  telling.finish();
  return answer;
}

TwoSidedOrProblem open_two_sided(const std::string& path, int points, int checkers, bool check) {
  TableProblem problem;
  const Shape shape{points, checkers};
  nb::gil_scoped_release released;
  auto file = TableFile::open(path, TableKind::kTwoSided, shape, check, problem);
  if (!file) return {std::nullopt, word(problem)};
  const std::uint64_t entries = TwoSided::entries_of(shape);
  if (file->header().size != entries * sizeof(TwoSided::Entry)) return {std::nullopt, "damaged"};
  const auto* data = reinterpret_cast<const TwoSided::Entry*>(std::as_const(*file).bytes().data());
  return {TwoSided(shape, {data, entries}, file), ""};
}

auto two_sided_look_up(const TwoSided& table, const Boards& boards) {
  const std::size_t count = boards.shape(0);
  check_rows(reinterpret_cast<const Row*>(boards.data()), 2 * count, table.shape());
  std::vector<double> values(count * 4);
  {
    nb::gil_scoped_release released;
    for (std::size_t i = 0; i < count; ++i) {
      const TwoSidedEquities found = table.equities(positions(boards)[i]);
      values[4 * i] = found.win();
      values[4 * i + 1] = found.centred;
      values[4 * i + 2] = found.owned;
      values[4 * i + 3] = found.unavailable;
    }
  }
  return to_numpy<double>(std::move(values), {count, 4});
}

std::tuple<double, double, double, double> two_sided_cube(const TwoSided& table, const nb::bytes& row) {
  const Position position = to_position(row);
  if (!table.holds(position)) throw nb::index_error("0");
  const TwoSidedCube cube = table.cube(position);
  return {cube.win, cube.no_double, cube.no_redouble, cube.double_take};
}

// --- hypergammon -----------------------------------------------------------------------------------------------------

using HypergammonOrProblem = std::pair<std::optional<Hypergammon>, std::string>;

Hypergammon build_hypergammon(int checkers, int threads, nb::object progress) {
  Telling telling(std::move(progress));
  Hypergammon table;
  {
    nb::gil_scoped_release released;
    table = Hypergammon::build(checkers, threads, step_reporter(telling));
  }
  telling.finish();
  return table;
}

std::string write_hypergammon(const std::string& path, int checkers, int threads, nb::object progress,
                              double keep_every) {
  Telling telling(std::move(progress));
  std::string answer;
  {
    nb::gil_scoped_release released;
    const auto start = Clock::now();
    TableProblem problem;
    const Shape shape = Hypergammon::shape(checkers);
    auto file = TableFile::start(path, TableKind::kHypergammon, shape, Hypergammon::bytes_of(checkers), false, problem);
    if (!file) return word(problem);
    // A sweep that is cut off leaves a mixture of two. So the values after a whole one are kept aside: what goes on from
    // there ends with the same digits as what was never cut off.
    const Journal journal(path + ".journal", TableKind::kHypergammon, shape);
    Hypergammon::Reached from;
    double earlier = 0;
    journal.read([&](const Journal::State& state, std::span<const std::byte> bytes) {
      if (bytes.size() != file->bytes().size()) return false;
      std::memcpy(file->bytes().data(), bytes.data(), bytes.size());
      from = {state[0] >> 32, state[0] & 0xffffffff, std::bit_cast<double>(state[1]), state[2]};
      earlier = static_cast<double>(state[3]) / 1000;
      return true;
    });
    bool stopping = false;
    KeepClock clock(keep_every);
    const auto report = [&, tell = step_reporter(telling)](const Hypergammon::Step& step) {
      stopping = !tell(step);
      return !stopping;
    };
    const auto checkpoint = [&](const Hypergammon::Reached& reached) {
      if (!stopping && !clock.is_due()) return;
      const auto spent = static_cast<std::uint64_t>(1000 * (earlier + seconds_since(start)));
      const auto change = std::bit_cast<std::uint64_t>(reached.least_change);
      clock.keep([&] {
        journal.replace({reached.block << 32 | reached.sweep, change, reached.sweeps_without_progress, spent},
                        file->bytes());
      });
    };
    if (Hypergammon::build_into(checkers, file->bytes(), from, threads, report, checkpoint)) {
      answer = file->finish(earlier + seconds_since(start)) ? "" : "unreadable";
      if (answer.empty()) journal.remove();
    }
  }
  telling.finish();
  return answer;
}

HypergammonOrProblem open_hypergammon(const std::string& path, int checkers, bool check) {
  TableProblem problem;
  nb::gil_scoped_release released;
  auto file = TableFile::open(path, TableKind::kHypergammon, Hypergammon::shape(checkers), check, problem);
  if (!file) return {std::nullopt, word(problem)};
  if (file->header().size != Hypergammon::bytes_of(checkers)) return {std::nullopt, "damaged"};
  return {Hypergammon(checkers, std::as_const(*file).bytes(), file), ""};
}

auto hypergammon_look_up(const Hypergammon& table, const Boards& boards) {
  const std::size_t count = boards.shape(0);
  for (std::size_t i = 0; i < count; ++i)
    if (!table.holds(positions(boards)[i])) throw nb::index_error(std::to_string(i).c_str());
  std::vector<float> values(count * 10);
  {
    nb::gil_scoped_release released;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t index = table.index(positions(boards)[i]);
      const Outputs outputs = table.outputs(index);
      const Hypergammon::Equities& found = table.equities(index);
      const float row[10] = {
          outputs.win,    outputs.win_gammon, outputs.win_backgammon, outputs.lose_gammon, outputs.lose_backgammon,
          found.cubeless, found.centred,      found.jacoby,           found.owned,         found.unavailable};
      std::copy(row, row + 10, values.begin() + static_cast<std::ptrdiff_t>(10 * i));
    }
  }
  return to_numpy<float>(std::move(values), {count, 10});
}

// --- answers by position class ---------------------------------------------------------------------------------------

auto exact_outputs(const Boards& boards, int total) {
  const std::size_t count = boards.shape(0);
  std::vector<Outputs> outputs(count);
  std::vector<std::uint8_t> known(count);
  {
    nb::gil_scoped_release released;
    for (std::size_t i = 0; i < count; ++i)
      known[i] = ExactTables::shared().evaluate(positions(boards)[i], outputs[i], total);
  }
  return std::pair{to_numpy<float>(std::move(outputs), {count, 5}), to_numpy<bool>(std::move(known), {count})};
}

int position_class(const nb::bytes& row) { return static_cast<int>(classify(to_position(row))); }

int exact_answer(const nb::bytes& row, int total) {
  return static_cast<int>(ExactTables::shared().answer(to_position(row), total));
}

std::optional<std::tuple<double, double, double, double, double>> exact_money(const nb::bytes& row, int total) {
  MoneyEquities found;
  if (!ExactTables::shared().money_equities(to_position(row), found, total)) return std::nullopt;
  return std::tuple{found.cubeless, found.centred, found.jacoby, found.owned, found.unavailable};
}

// Seconds of this thread's own processor time: what other work on the machine takes is not counted.
double processor_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Look-ups a second of processor time in C++ alone, for the benchmarks.
template <typename LookUp>
std::pair<double, double> measure(const Boards& boards, int rounds, const LookUp& look_up) {
  nb::gil_scoped_release released;
  const std::size_t count = boards.shape(0);
  const double start = processor_seconds();
  double sum = 0;
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < count; ++i) sum += look_up(positions(boards)[i]);
  return {static_cast<double>(count) * rounds / (processor_seconds() - start), sum / rounds};
}

}  // namespace

void init_tables(nb::module_& core) {
  nb::class_<OneSided>(core, "OneSidedTable")
      .def_static("build", &build_one_sided, nb::arg("points"), nb::arg("checkers"), nb::arg("threads"),
                  nb::arg("progress").none())
      .def_static(
          "shared", [] { return ExactTables::shared().one_sided(); }, nb::call_guard<nb::gil_scoped_release>())
      .def_static("write", &write_one_sided, nb::arg("path"), nb::arg("points"), nb::arg("checkers"),
                  nb::arg("threads"), nb::arg("progress").none(), nb::arg("keep_every"),
                  "Builds a table into a file, from where an earlier build was cut off; why it could not, or nothing.")
      .def_static("open", &open_one_sided, nb::arg("path"), nb::arg("points"), nb::arg("checkers"), nb::arg("check"))
      .def_prop_ro("size", &OneSided::size)
      .def("numbers", &one_sided_numbers, nb::arg("rows"))
      .def("row", &one_sided_row, nb::arg("number"))
      .def("look_up", &one_sided_look_up, nb::arg("rows"))
      .def("distribution", &one_sided_distribution, nb::arg("number"), nb::arg("first"))
      .def("win", &one_sided_win, nb::arg("boards"))
      .def("use", [](const OneSided& table) { ExactTables::shared().use_one_sided(std::make_shared<OneSided>(table)); })
      .def(
          "measure_look_ups",
          [](const OneSided& table, const Boards& boards, int rounds) {
            return measure(boards, rounds,
                           [&](const Position& position) { return table.mean(table.number(position.mine)); });
          },
          nb::arg("boards"), nb::arg("rounds"))
      .def("measure_chances", [](const OneSided& table, const Boards& boards, int rounds) {
        return measure(boards, rounds, [&](const Position& position) {
          return chance_to_be_first(table.turns(table.number(position.mine)),
                                    table.turns(table.number(position.theirs)));
        });
      });
  nb::class_<TwoSided>(core, "TwoSidedTable")
      .def_static("build", &build_two_sided, nb::arg("points"), nb::arg("checkers"), nb::arg("threads"),
                  nb::arg("progress").none())
      .def_static(
          "shared", [] { return ExactTables::shared().two_sided(); }, nb::call_guard<nb::gil_scoped_release>())
      .def_static("write", &write_two_sided, nb::arg("path"), nb::arg("points"), nb::arg("checkers"),
                  nb::arg("threads"), nb::arg("progress").none(), nb::arg("keep_every"))
      .def_static("open", &open_two_sided, nb::arg("path"), nb::arg("points"), nb::arg("checkers"), nb::arg("check"))
      .def_prop_ro("size", [](const TwoSided& table) { return table.entries().size(); })
      .def("look_up", &two_sided_look_up, nb::arg("boards"))
      .def("cube", &two_sided_cube, nb::arg("position"))
      .def("use", [](const TwoSided& table) { ExactTables::shared().use_two_sided(std::make_shared<TwoSided>(table)); })
      .def("measure_look_ups", [](const TwoSided& table, const Boards& boards, int rounds) {
        return measure(boards, rounds, [&](const Position& position) { return table.equities(position).centred; });
      });
  nb::class_<Hypergammon>(core, "HypergammonTable")
      .def_static("build", &build_hypergammon, nb::arg("checkers"), nb::arg("threads"), nb::arg("progress").none())
      .def_static("write", &write_hypergammon, nb::arg("path"), nb::arg("checkers"), nb::arg("threads"),
                  nb::arg("progress").none(), nb::arg("keep_every"))
      .def_static("open", &open_hypergammon, nb::arg("path"), nb::arg("checkers"), nb::arg("check"))
      .def_static("bytes_of", &Hypergammon::bytes_of, nb::arg("checkers"))
      .def_static("positions_of", &Hypergammon::positions_of, nb::arg("checkers"))
      .def_prop_ro("checkers", &Hypergammon::checkers)
      .def("look_up", &hypergammon_look_up, nb::arg("boards"))
      .def("attach", [](const Hypergammon& table) { ExactTables::shared().attach(table); })
      .def("measure_look_ups", [](const Hypergammon& table, const Boards& boards, int rounds) {
        return measure(boards, rounds,
                       [&](const Position& position) { return table.equities(table.index(position)).centred; });
      });
  core.def(
      "put_away_tables",
      [] {
        ExactTables::shared().use_two_sided(nullptr);
        ExactTables::shared().use_one_sided(nullptr);
      },
      "From now on only the tables in memory answer.");
  core.def("position_class", &position_class, nb::arg("position"), "The number of a position's class.");
  core.def("exact_answer", &exact_answer, nb::arg("position"), nb::arg("total"),
           "Which table answers for a position: the number of an answer, 0 for none.");
  core.def("exact_outputs", &exact_outputs, nb::arg("boards"), nb::arg("total"),
           "The five outputs of each board, and whether they are known exactly.");
  core.def("exact_money_equities", &exact_money, nb::arg("position"), nb::arg("total"),
           "Cubeless, centred, Jacoby, owned and unavailable money equities, if a table knows them.");
}

}  // namespace kibitz
