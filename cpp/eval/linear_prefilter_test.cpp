#include "eval/linear_prefilter.hpp"

#include <cmath>
#include <vector>

#include "board/dice.hpp"
#include "board/plays.hpp"
#include "support/testing.hpp"

using namespace kibitz;

namespace {

// A net whose sums stay in the middle between the ends where activations are clipped: there its slope is the same
// everywhere, but for the outputs' curve.
NetworkParameters straight_net() {
  NetworkParameters net;
  net.width = 64;
  net.hidden1 = net.hidden2 = 16;
  std::uint32_t state = 1;
  const auto random = [&](int most) {
    state = state * 1664525u + 1013904223u;
    return static_cast<std::int16_t>(static_cast<int>(state >> 16) % (2 * most + 1) - most);
  };
  const auto fill = [&](auto& numbers, int size, int most, int middle) {
    for (int i = 0; i < size; ++i) numbers.push_back(random(most) + middle);
  };
  constexpr int kMiddle = 2 * kActivationOne;
  fill(net.units, kCountUnits * net.width, 40, 0);
  fill(net.bias1, net.width, 0, kMiddle);
  fill(net.weights2, net.width * net.hidden1, 400, 0);
  fill(net.weights3, net.hidden1 * net.hidden2, 1600, 0);
  fill(net.weights4, net.hidden2 * kOutputs, 4000, 0);
  const auto balance = [](const auto& weights, int outputs, int middle, auto& bias) {
    bias.assign(outputs, middle * kWeightOne);
    for (std::size_t i = 0; i < weights.size(); ++i) bias[i % outputs] -= kMiddle * weights[i];
  };
  balance(net.weights2, net.hidden1, kMiddle, net.bias2);
  balance(net.weights3, net.hidden2, kMiddle, net.bias3);
  balance(net.weights4, kOutputs, 0, net.bias4);
  return net;
}

}  // namespace

TEST_CASE("a prefilter of a straight net tells what the net tells") {
  const NetworkParameters parameters = straight_net();
  const Network net(parameters);
  const LinearPrefilter prefilter(parameters);
  const Position start = starting_position();
  std::vector<Position> results;
  for (const Dice& dice : kAllRolls) append_legal_results(start, dice, results);
  std::vector<float> differences(results.size());
  prefilter.differences(start, results, differences);
  Outputs before;
  const Position unmoved = start.swapped();
  net.evaluate({&unmoved, 1}, &before);
  float largest = 0.0f;
  for (std::size_t i = 0; i < results.size(); ++i) {
    Outputs after;
    net.evaluate({&results[i], 1}, &after);
    const float truth = after.equity() - before.equity();
    largest = std::max(largest, std::abs(truth));
    CHECK(std::abs(differences[i] - truth) < 0.05f * std::abs(truth) + 4e-3f);  // the net counts in steps
  }
  CHECK(largest > 0.05f);  // or the comparison would mean nothing
}
