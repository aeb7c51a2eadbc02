#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <numeric>

#include "board/plays.hpp"
#include "core.hpp"
#include "decide/reply_chooser.hpp"
#include "eval.hpp"
#include "eval/neural_evaluator.hpp"

namespace kibitz {

NetworkParameters to_parameters(int width, int hidden1, int hidden2, const nb::bytes& payload) {
  NetworkParameters parameters;
  if (!parameters.read({payload.c_str(), payload.size()}) || parameters.width != width ||
      parameters.hidden1 != hidden1 || parameters.hidden2 != hidden2)
    throw std::invalid_argument("the net's numbers do not fit its widths");
  const std::string defect = parameters.defect();
  if (!defect.empty()) throw std::invalid_argument("the net is unusable: " + defect);
  return parameters;
}

namespace {

auto evaluate_batch(const Evaluator& evaluator, const Boards& boards) {
  const std::size_t count = boards.shape(0);
  std::vector<Outputs> outputs(count);
  {
    nb::gil_scoped_release released;
    evaluator.evaluate({positions(boards), count}, outputs);
  }
  return to_numpy<float>(std::move(outputs), {count, static_cast<std::size_t>(kOutputs)});
}

// What rows need, exactly or by a net.
std::tuple<nb::ndarray<nb::numpy, float>, nb::ndarray<nb::numpy, float>> turns_distributions(
    std::shared_ptr<RaceNetwork> network, const Rows& rows) {
  const std::size_t count = rows.shape(0);
  std::vector<float> all, first;
  const auto append = [](const float* chances, int turns, std::vector<float>& to) {
    const float sum = std::accumulate(chances, chances + turns, 0.0f);
    for (int i = 0; i < turns; ++i) to.push_back(chances[i] / sum);
  };
  {
    nb::gil_scoped_release released;
    const Races races(network);
    for (std::size_t i = 0; i < count; ++i) {
      const TurnsDistribution distribution = races.distribution(rows_of(rows)[i]);
      append(distribution.all, kAllTurns, all);
      append(distribution.first, kFirstTurns, first);
    }
  }
  return {to_numpy<float>(std::move(all), {count, static_cast<std::size_t>(kAllTurns)}),
          to_numpy<float>(std::move(first), {count, static_cast<std::size_t>(kFirstTurns)})};
}

// Which features (n, kFeatureUnits) are on in each of many boards.
nb::ndarray<nb::numpy, std::uint8_t> features(const Boards& boards) {
  const std::size_t count = boards.shape(0);
  std::vector<std::uint8_t> on(count * kFeatureUnits);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint16_t units[kMostFeatures];
    int found;
    kernels().features(positions(boards)[i].mine.data(), 1, units, &found);
    for (int k = 0; k < found; ++k) on[i * kFeatureUnits + units[k]] = 1;
  }
  return to_numpy<std::uint8_t>(std::move(on), {count, static_cast<std::size_t>(kFeatureUnits)});
}

// The best play of each of many boards and rolls, and how many plays there were in all.
std::tuple<std::int64_t, nb::ndarray<nb::numpy, std::uint8_t>, nb::ndarray<nb::numpy, float>> best_plays(
    const Evaluator& evaluator, const Boards& boards, const DiceArray& dice, int shortlist) {
  const std::size_t count = boards.shape(0);
  const std::uint8_t* rolls = dice.data();
  if (dice.shape(0) != count) throw std::invalid_argument("expected as many rolls as boards");
  for (std::size_t i = 0; i < count; ++i) to_dice(rolls[2 * i], rolls[2 * i + 1]);
  std::vector<Position> results(count);
  std::vector<Outputs> outputs(count);
  std::int64_t considered = 0;
  {
    nb::gil_scoped_release released;
    const LeafModel leaf(CubeModel(MatchState{.jacoby = false}, nullptr), {.cubeful = false});
    ReplyChooser chooser;
    for (std::size_t i = 0; i < count; ++i) {
      const RollRequest request{Dice(rolls[2 * i], rolls[2 * i + 1]), ReplyLimits::shortlist(shortlist)};
      chooser.look(evaluator, positions(boards)[i], {&request, 1}, true);
      const Reply best = chooser.best(0, leaf, 0);
      results[i] = best.position;
      outputs[i] = best.outputs.swapped();
      considered += chooser.considered();
    }
  }
  return {considered, to_numpy<std::uint8_t>(std::move(results), {count, 2, static_cast<std::size_t>(kSlots)}),
          to_numpy<float>(std::move(outputs), {count, static_cast<std::size_t>(kOutputs)})};
}

// All plays of a roll with the outputs of the one who plays, best first.
auto rank_results(const Evaluator& evaluator, const nb::bytes& row, int first, int second) {
  const Position position = to_position(row);
  std::vector<Position> results;
  legal_results(position, to_dice(first, second), results);
  std::vector<Outputs> outputs(results.size());
  evaluator.evaluate_results(position, results, outputs);
  std::vector<std::size_t> order(results.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return breaks_tie(results[a], outputs[a], results[b], outputs[b]);
  });
  std::vector<std::tuple<nb::bytes, std::vector<float>>> ranked;
  for (const std::size_t i : order) {
    const Outputs mine = outputs[i].swapped();
    ranked.emplace_back(to_bytes(results[i]), std::vector<float>{mine.win, mine.win_gammon, mine.win_backgammon,
                                                                 mine.lose_gammon, mine.lose_backgammon});
  }
  return ranked;
}

void bind_networks(nb::module_& core) {
  nb::class_<Network>(core, "Network")
      .def(
          "__init__",
          [](Network* network, int width, int hidden1, int hidden2, const nb::bytes& payload) {
            new (network) Network(to_parameters(width, hidden1, hidden2, payload));
          },
          nb::arg("width"), nb::arg("hidden1"), nb::arg("hidden2"), nb::arg("payload"))
      .def(
          "evaluate_batch",
          [](const Network& network, const Boards& boards) {
            const std::size_t count = boards.shape(0);
            std::vector<Outputs> outputs(count);
            {
              nb::gil_scoped_release released;
              network.evaluate({positions(boards), count}, outputs.data());
            }
            return to_numpy<float>(std::move(outputs), {count, static_cast<std::size_t>(kOutputs)});
          },
          nb::arg("boards"), "The raw outputs of the net, without tables, not clamped.")
      .def(
          "hidden",
          [](const Network& network, const Boards& boards) {
            if (network.sets() != 1) throw std::invalid_argument("expected a net with one set of later layers");
            const std::size_t count = boards.shape(0), width = network.hidden_width();
            std::vector<std::uint8_t> bytes(count * width);
            {
              nb::gil_scoped_release released;
              network.hidden({positions(boards), count}, bytes.data());
            }
            return to_numpy<std::uint8_t>(std::move(bytes), {count, width});
          },
          nb::arg("boards"), "What both dense layers of the net make of each board: (n, hidden1 + hidden2) bytes.");

  nb::class_<RaceNetwork>(core, "RaceNetwork", "The net for one side of a race.")
      .def(
          "__init__",
          [](RaceNetwork* network, int width, int hidden, const nb::bytes& payload) {
            RaceParameters parameters;
            if (!parameters.read({payload.c_str(), payload.size()}) || parameters.width != width ||
                parameters.hidden != hidden)
              throw std::invalid_argument("the net's numbers do not fit its widths");
            if (const std::string defect = parameters.defect(); !defect.empty())
              throw std::invalid_argument("the net is unusable: " + defect);
            new (network) RaceNetwork(parameters);
          },
          nb::arg("width"), nb::arg("hidden"), nb::arg("payload"));

  core.def("turns_distributions", &turns_distributions, nb::arg("network"), nb::arg("rows"),
           "For rows (n, 25): the chances (n, RACE_TURNS) of each turn to bear off the last checker, and (n, "
           "FIRST_TURNS) the "
           "first one.");
  core.def(
      "turns_guesses",
      [](const Rows& rows) {
        const std::size_t count = rows.shape(0);
        std::vector<TurnsGuess> guesses;
        for (std::size_t i = 0; i < count; ++i) guesses.push_back(TurnsGuess::of(rows_of(rows)[i]));
        return to_numpy<float>(std::move(guesses), {count, 4});
      },
      nb::arg("rows"), "For rows (n, 25): mean and steepness of the guess for the last checker, and for the first.");
  core.attr("GUESSED_BITS") = kGuessedBits;
  core.attr("ROW_UNITS") = kRowUnits;
  core.attr("RACE_TURNS") = kAllTurns;
  core.attr("FIRST_TURNS") = kFirstTurns;

  nb::class_<LinearPrefilter>(core, "LinearPrefilter", "The slope of a net: a look that is cheaper than the net.")
      .def(
          "__init__",
          [](LinearPrefilter* prefilter, int width, int hidden1, int hidden2, const nb::bytes& payload) {
            const NetworkParameters parameters = to_parameters(width, hidden1, hidden2, payload);
            if (parameters.has_features() || parameters.sets > 1)
              throw std::invalid_argument("a prefilter is made of a net without features and buckets");
            new (prefilter) LinearPrefilter(parameters);
          },
          nb::arg("width"), nb::arg("hidden1"), nb::arg("hidden2"), nb::arg("payload"));
}

void bind_evaluators(nb::module_& core) {
  nb::class_<Evaluator>(core, "Evaluator")
      .def("evaluate_batch", &evaluate_batch, nb::arg("boards"),
           "Boards (n, 2, 25) to outputs (n, 5), each for its player on roll.")
      .def(
          "best_plays", &best_plays, nb::arg("boards"), nb::arg("dice"), nb::arg("shortlist") = 0,
          "For n boards and rolls: plays considered, the best results (n, 2, 25), outputs (n, 5) of the ones who play.")
      .def("rank_results", &rank_results, nb::arg("position"), nb::arg("first"), nb::arg("second"),
           "The results of a roll, best first, with the outputs of the one who plays.");

  nb::class_<NeuralEvaluator, Evaluator>(core, "NeuralEvaluator")
      .def(
          "__init__",
          [](NeuralEvaluator* evaluator, std::shared_ptr<Network> contact, std::shared_ptr<RaceNetwork> race,
             std::shared_ptr<Network> contact_pruning, std::shared_ptr<LinearPrefilter> contact_prefilter) {
            new (evaluator) NeuralEvaluator(NetworkSet{contact, race, contact_pruning, contact_prefilter});
          },
          nb::arg("contact"), nb::arg("race"), nb::arg("pruning"), nb::arg("prefilter").none() = nb::none());

  core.def("features", &features, nb::arg("boards"),
           "Which features are on in each board: (n, FEATURE_UNITS) of 0 and 1.");
  core.attr("COUNT_UNITS") = kCountUnits;
  core.attr("FEATURE_UNITS") = kFeatureUnits;
  core.attr("BUCKETS") = kBuckets;
  core.attr("ACTIVATION_ONE") = kActivationOne;
  core.attr("WEIGHT_ONE") = kWeightOne;
  core.attr("MAX_WIDTH") = kMaxWidth;
}

}  // namespace

void init_eval(nb::module_& core) {
  bind_networks(core);
  bind_evaluators(core);
}

}  // namespace kibitz
