// What an evaluator says of a position: five probabilities for the player on roll, and their arithmetic.
#pragma once

#include <concepts>

namespace kibitz {

inline constexpr int kOutputs = 5;

// Evaluators speak in floats; sums and means are made in doubles.
template <std::floating_point Real>
struct BasicOutputs {
  Real win = 0;              // win of any kind
  Real win_gammon = 0;       // win a gammon or a backgammon
  Real win_backgammon = 0;   // win a backgammon
  Real lose_gammon = 0;      // lose a gammon or a backgammon
  Real lose_backgammon = 0;  // lose a backgammon

  bool operator==(const BasicOutputs&) const = default;

  // The same probabilities, seen by the other player.
  constexpr BasicOutputs swapped() const {
    return {Real{1} - win, lose_gammon, lose_backgammon, win_gammon, win_backgammon};
  }
  // The same for a difference of probabilities.
  constexpr BasicOutputs swapped_difference() const {
    return {-win, lose_gammon, lose_backgammon, win_gammon, win_backgammon};
  }

  // Cubeless money equity.
  constexpr Real equity() const {
    return Real{2} * win - Real{1} + win_gammon - lose_gammon + win_backgammon - lose_backgammon;
  }

  constexpr BasicOutputs& operator+=(const BasicOutputs& other) {
    win += other.win;
    win_gammon += other.win_gammon;
    win_backgammon += other.win_backgammon;
    lose_gammon += other.lose_gammon;
    lose_backgammon += other.lose_backgammon;
    return *this;
  }
  constexpr BasicOutputs operator*(Real factor) const {
    return {factor * win, factor * win_gammon, factor * win_backgammon, factor * lose_gammon, factor * lose_backgammon};
  }
  constexpr BasicOutputs operator/(Real divisor) const {
    return {win / divisor, win_gammon / divisor, win_backgammon / divisor, lose_gammon / divisor,
            lose_backgammon / divisor};
  }
  constexpr BasicOutputs operator+(const BasicOutputs& other) const { return BasicOutputs(*this) += other; }
  constexpr BasicOutputs operator-(const BasicOutputs& other) const { return *this + other * Real{-1}; }

  // Doubles hold every float, so nothing is lost.
  constexpr operator BasicOutputs<double>() const
    requires std::same_as<Real, float>
  {
    return {win, win_gammon, win_backgammon, lose_gammon, lose_backgammon};
  }
  constexpr BasicOutputs<float> rounded() const {
    return {static_cast<float>(win), static_cast<float>(win_gammon), static_cast<float>(win_backgammon),
            static_cast<float>(lose_gammon), static_cast<float>(lose_backgammon)};
  }
};

using Outputs = BasicOutputs<float>;
using MeanOutputs = BasicOutputs<double>;
static_assert(sizeof(Outputs) == kOutputs * sizeof(float));

// Which gammons and backgammons can still happen.
struct PossibleGammons {
  bool win_gammon, win_backgammon, lose_gammon, lose_backgammon;
};

// Probabilities in [0, 1] and nested, and zero for what cannot happen.
constexpr Outputs clamped(Outputs outputs, const PossibleGammons& possible) {
  const auto within = [](float value, float most) { return value < 0.0f ? 0.0f : value > most ? most : value; };
  outputs.win = within(outputs.win, 1.0f);
  outputs.win_gammon = possible.win_gammon ? within(outputs.win_gammon, outputs.win) : 0.0f;
  outputs.win_backgammon = possible.win_backgammon ? within(outputs.win_backgammon, outputs.win_gammon) : 0.0f;
  outputs.lose_gammon = possible.lose_gammon ? within(outputs.lose_gammon, 1.0f - outputs.win) : 0.0f;
  outputs.lose_backgammon = possible.lose_backgammon ? within(outputs.lose_backgammon, outputs.lose_gammon) : 0.0f;
  return outputs;
}

}  // namespace kibitz
