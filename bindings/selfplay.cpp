#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include "core.hpp"
#include "eval.hpp"
#include "selfplay/generator.hpp"
#include "selfplay/learner.hpp"
#include "selfplay/race_teacher.hpp"

namespace kibitz {
namespace {

using Targets = nb::ndarray<const float, nb::shape<-1, kOutputs>, nb::c_contig, nb::device::cpu>;
using Indices = nb::ndarray<const std::uint32_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Flags = nb::ndarray<const std::uint8_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using FlatFloats = nb::ndarray<const float, nb::shape<-1>, nb::c_contig, nb::device::cpu>;

double train(Learner& learner, const Boards& boards, const Targets& targets, const Indices& indices, int batch,
             float rate, float averaging) {
  if (boards.shape(0) != targets.shape(0)) throw std::invalid_argument("expected as many targets as boards");
  const std::span<const std::uint32_t> chosen(indices.data(), indices.shape(0));
  for (const std::uint32_t index : chosen)
    if (index >= boards.shape(0)) throw std::invalid_argument("an index is beyond the samples");
  if (batch < 1) throw std::invalid_argument("a batch has at least one sample");
  nb::gil_scoped_release released;
  return learner.train(positions(boards), reinterpret_cast<const Outputs*>(targets.data()), chosen, batch, rate,
                       averaging);
}

// Games until there are so many turns: each from the next of the starts, over and over, or from where the generator starts.
std::vector<RecordedTurn> play_games(Generator& generator, int count, std::span<const Position> starts, int& games) {
  std::vector<RecordedTurn> turns;
  for (games = 0; static_cast<int>(turns.size()) < count; ++games)
    generator.play_game(starts.empty() ? generator.start() : starts[games % starts.size()], turns);
  return turns;
}

std::tuple<int, nb::ndarray<nb::numpy, std::uint8_t>, nb::ndarray<nb::numpy, float>> generate(Generator& generator,
                                                                                              int count, float lambda) {
  std::vector<Position> boards;
  std::vector<Outputs> targets;
  int games;
  {
    nb::gil_scoped_release released;
    const std::vector<RecordedTurn> turns = play_games(generator, count, {}, games);
    targets.resize(turns.size());
    lambda_returns(turns, lambda, targets.data());
    for (const RecordedTurn& turn : turns) boards.push_back(turn.position);
  }
  const std::size_t total = boards.size();
  return std::make_tuple(games, to_numpy<std::uint8_t>(std::move(boards), {total, 2, static_cast<std::size_t>(kSlots)}),
                         to_numpy<float>(std::move(targets), {total, static_cast<std::size_t>(kOutputs)}));
}

using Recorded = std::tuple<nb::ndarray<nb::numpy, std::uint8_t>, nb::ndarray<nb::numpy, float>,
                            nb::ndarray<nb::numpy, float>, nb::ndarray<nb::numpy, std::uint8_t>>;

Recorded record(Generator& generator, int count, const Boards& starts) {
  for (std::size_t i = 0; i < starts.shape(0); ++i)
    if (!in_contact(positions(starts)[i])) throw std::invalid_argument("a start has no contact");
  std::vector<Position> boards;
  std::vector<Outputs> values, backups;
  std::vector<std::uint8_t> traced;
  {
    nb::gil_scoped_release released;
    int games;
    for (const RecordedTurn& turn : play_games(generator, count, {positions(starts), starts.shape(0)}, games)) {
      boards.push_back(turn.position);
      values.push_back(turn.value);
      backups.push_back(turn.backup);
      traced.push_back(turn.traced);
    }
  }
  const std::size_t total = boards.size();
  const std::size_t outputs = kOutputs;
  return {to_numpy<std::uint8_t>(std::move(boards), {total, 2, static_cast<std::size_t>(kSlots)}),
          to_numpy<float>(std::move(values), {total, outputs}), to_numpy<float>(std::move(backups), {total, outputs}),
          to_numpy<std::uint8_t>(std::move(traced), {total})};
}

auto returns(const Targets& values, const Targets& backups, const Flags& traced, float lambda) {
  const std::size_t total = values.shape(0);
  if (backups.shape(0) != total || traced.shape(0) != total)
    throw std::invalid_argument("expected arrays of one length");
  std::vector<Outputs> targets(total);
  {
    nb::gil_scoped_release released;
    std::vector<RecordedTurn> turns(total);
    for (std::size_t i = 0; i < total; ++i) {
      turns[i].value = reinterpret_cast<const Outputs*>(values.data())[i];
      turns[i].backup = reinterpret_cast<const Outputs*>(backups.data())[i];
      turns[i].traced = traced.data()[i] != 0;
    }
    lambda_returns(turns, lambda, targets.data());
  }
  return to_numpy<float>(std::move(targets), {total, static_cast<std::size_t>(kOutputs)});
}

std::tuple<nb::ndarray<nb::numpy, float>, nb::ndarray<nb::numpy, std::uint8_t>> teach(RaceTeacher& teacher,
                                                                                      const Rows& rows) {
  const std::size_t count = rows.shape(0);
  for (std::size_t i = 0; i < count; ++i)
    if (rearmost(rows_of(rows)[i]) < kHome || checkers(rows_of(rows)[i]) > kCheckers)
      throw std::invalid_argument("expected rows with a checker outside and at most fifteen");
  std::vector<Row> moving(rows_of(rows), rows_of(rows) + count);
  std::vector<float> targets(count * kRaceOutputs);
  {
    nb::gil_scoped_release released;
    teacher.teach(moving, targets.data());
  }
  return {to_numpy<float>(std::move(targets), {count, static_cast<std::size_t>(kRaceOutputs)}),
          to_numpy<std::uint8_t>(std::move(moving), {count, static_cast<std::size_t>(kSlots)})};
}

void bind_learner(nb::module_& core) {
  nb::class_<Learner>(core, "Learner")
      .def(
          "__init__",
          [](Learner* learner, int width, int hidden1, int hidden2, std::uint64_t seed, bool features, bool buckets) {
            for (const int size : {width, hidden1, hidden2})
              if (size < 16 || size % (size == width ? 64 : 16) || size > kMaxWidth)
                throw std::invalid_argument("layers are multiples of 16, the first of 64");
            new (learner) Learner({width, hidden1, hidden2, features, buckets ? kBuckets : 1}, seed);
          },
          nb::arg("width"), nb::arg("hidden1"), nb::arg("hidden2"), nb::arg("seed"), nb::arg("features") = false,
          nb::arg("buckets") = false)
      .def("train", &train, nb::arg("boards"), nb::arg("targets"), nb::arg("indices"), nb::arg("batch"),
           nb::arg("rate"), nb::arg("averaging"))
      .def(
          "evaluate_batch",
          [](Learner& learner, const Boards& boards, bool averaged) {
            std::vector<Outputs> outputs(boards.shape(0));
            learner.evaluate({positions(boards), boards.shape(0)}, outputs.data(), averaged);
            const std::size_t count = outputs.size();
            return to_numpy<float>(std::move(outputs), {count, static_cast<std::size_t>(kOutputs)});
          },
          nb::arg("boards"), nb::arg("averaged") = true)
      .def(
          "payload",
          [](const Learner& learner, bool averaged) {
            const std::string bytes = learner.quantised(averaged).payload();
            return nb::bytes(bytes.data(), bytes.size());
          },
          nb::arg("averaged") = true)
      .def(
          "load_payload",
          [](Learner& learner, const nb::bytes& payload) {
            const NetworkParameters given =
                to_parameters(learner.shape().width, learner.shape().hidden1, learner.shape().hidden2, payload);
            if (given.has_features() && !learner.shape().features)
              throw std::invalid_argument("a net with features cannot become one without");
            if (given.sets > learner.shape().sets)
              throw std::invalid_argument("a net with layers for each bucket cannot become one without");
            learner.load(given);
          },
          nb::arg("payload"))
      .def("state",
           [](const Learner& learner) {
             std::vector<float> state = learner.state();
             const std::size_t size = state.size();
             return to_numpy<float>(std::move(state), {size});
           })
      .def(
          "set_state",
          [](Learner& learner, const FlatFloats& state, std::uint64_t steps) {
            if (!learner.set_state({state.data(), state.shape(0)}, steps))
              throw std::invalid_argument("the state belongs to a net of another shape");
          },
          nb::arg("state"), nb::arg("steps"))
      .def_prop_ro("steps", &Learner::steps)
      .def_prop_ro("shape", [](const Learner& learner) {
        const LearnerShape shape = learner.shape();
        return std::make_tuple(shape.width, shape.hidden1, shape.hidden2);
      });
}

void bind_games(nb::module_& core) {
  nb::class_<RaceTeacher>(core, "RaceTeacher", "Exact one-sided backups, and rows for further ones.")
      .def(
          "__init__",
          [](RaceTeacher* teacher, std::shared_ptr<RaceNetwork> network, std::uint64_t seed) {
            new (teacher) RaceTeacher(network, seed);
          },
          nb::arg("network"), nb::arg("seed"))
      .def(
          "set_network",
          [](RaceTeacher& teacher, std::shared_ptr<RaceNetwork> network) { teacher.set_network(network); },
          nb::arg("network"))
      .def(
          "teach", &teach, nb::arg("rows"),
          "For rows (n, 25) with a checker outside: targets (n, RACE_TURNS + FIRST_TURNS), and the rows a turn later.");

  nb::class_<Generator>(core, "Generator")
      .def(
          "__init__",
          [](Generator* generator, std::shared_ptr<Evaluator> evaluator, std::uint64_t seed) {
            new (generator) Generator(evaluator, {}, seed);
          },
          nb::arg("evaluator"), nb::arg("seed"))
      .def(
          "set_evaluator",
          [](Generator& generator, std::shared_ptr<Evaluator> evaluator) { generator.set_evaluator(evaluator); },
          nb::arg("evaluator"))
      .def(
          "set_settings",
          [](Generator& generator, bool exact, int shortlist, float explore, float near_exploration,
             float random_openings, float doubt) {
            generator.set_settings({exact, shortlist, explore, near_exploration, random_openings, doubt});
          },
          nb::arg("exact"), nb::arg("shortlist"), nb::arg("explore"), nb::arg("explore_near"),
          nb::arg("random_openings"), nb::arg("doubt") = 0.0f)
      .def("generate", &generate, nb::arg("count"), nb::arg("lambda_"),
           "Games until there are `count` samples: games, boards, targets.")
      .def("record", &record, nb::arg("count"), nb::arg("starts"),
           "Games from these starts (none: as generate does) until there are `count` turns: boards, the net's values, "
           "backups, and whether what the next turn learnt flows back.");

  core.def("lambda_returns", &returns, nb::arg("values"), nb::arg("backups"), nb::arg("traced"), nb::arg("lambda_"),
           "The targets of recorded turns.");
}

}  // namespace

void init_selfplay(nb::module_& core) {
  bind_learner(core);
  bind_games(core);
}

}  // namespace kibitz
