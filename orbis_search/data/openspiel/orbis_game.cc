// Orbis as a C++ game of OpenSpiel, on the compiled core: no Python runs between two moves.
//
// A Python module that registers the game `orbis` when it is imported. `orbis_search.openspiel.load_core` compiles it
// against the headers that come with the installed pyspiel and links it to that library. The core is reached through
// the struct below, whose twin is `StepsInterface` in _core/orbis/steps.pxd; what the actions are stands there too.

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "open_spiel/spiel.h"

namespace orbis {

using open_spiel::Action;
using open_spiel::ActionsAndProbs;
using open_spiel::Game;
using open_spiel::GameParameter;
using open_spiel::GameParameters;
using open_spiel::GameType;
using open_spiel::Player;
using open_spiel::State;

struct Interface {
  int actions;
  int most_legal;
  int (*decider)(const void* rules, const void* steps);
  int (*legal)(const void* rules, void* scratch, const void* steps, uint32_t prune, int32_t* out);
  int (*draws)(const void* rules, const void* steps, int32_t* out);
  int (*apply)(const void* rules, void* scratch, void* steps, uint32_t prune, int action);
  void (*shares)(const void* rules, const void* steps, int32_t* out);
  int (*text)(int action, char* out);
  void* (*scratch_new)();
  void (*scratch_free)(void* scratch);
};

constexpr int kChance = -2;
constexpr int kNobody = -1;
constexpr int kMostLegal = 3003;
constexpr int kMostPlayers = 4;
constexpr int kWhole = 12;           // a victory
constexpr size_t kMostBytes = 320;   // of the steps
constexpr int kTurns = 15;
constexpr int kStepsPerTurn = 13;    // tile, place, ten removals, realm
constexpr int kRegionTurns = 14;
constexpr int kMostTiles = 128;

// What a start made in Python says: where the core's data lies, and the object that keeps it there.
struct Start {
  PyObject* owner = nullptr;
  const Interface* core = nullptr;
  const void* rules = nullptr;
  const void* steps = nullptr;
  size_t bytes = 0;
  int players = 0;
  uint32_t prune = 0;
};

// Work space of a thread.
void* Scratch(const Interface& core) {
  struct Held {
    const Interface* core = nullptr;
    void* scratch = nullptr;
    ~Held() {
      if (scratch != nullptr) core->scratch_free(scratch);
    }
  };
  static thread_local Held held;
  if (held.scratch == nullptr) {
    held.core = &core;
    held.scratch = core.scratch_new();
    if (held.scratch == nullptr) open_spiel::SpielFatalError("orbis: no memory for a work space");
  }
  return held.scratch;
}

class OrbisState : public State {
 public:
  OrbisState(std::shared_ptr<const Game> game, const Start& start) : State(game), start_(start) {
    std::memcpy(steps_.data(), start.steps, start.bytes);
  }
  OrbisState(const OrbisState& other) : State(other), start_(other.start_) {
    std::memcpy(steps_.data(), other.steps_.data(), start_.bytes);
  }

  Player CurrentPlayer() const override {
    int decider = start_.core->decider(start_.rules, steps_.data());
    return decider == kNobody ? open_spiel::kTerminalPlayerId
           : decider == kChance ? open_spiel::kChancePlayerId
                                : decider;
  }

  bool IsTerminal() const override { return start_.core->decider(start_.rules, steps_.data()) == kNobody; }

  std::vector<Action> LegalActions() const override {
    int32_t found[kMostLegal];
    int decider = start_.core->decider(start_.rules, steps_.data()), n = 0;
    if (decider == kChance) {
      n = start_.core->draws(start_.rules, steps_.data(), found);
    } else if (decider != kNobody) {
      n = start_.core->legal(start_.rules, Scratch(*start_.core), steps_.data(), start_.prune, found);
      if (n < 0) open_spiel::SpielFatalError("orbis: no memory for the steps of a turn");
    }
    return std::vector<Action>(found, found + n);
  }

  ActionsAndProbs ChanceOutcomes() const override {
    int32_t found[kMostLegal];
    int n = start_.core->draws(start_.rules, steps_.data(), found);
    ActionsAndProbs outcomes;
    outcomes.reserve(n);
    for (int i = 0; i < n; i++) outcomes.emplace_back(found[i], 1.0 / n);
    return outcomes;
  }

  std::string ActionToString(Player player, Action action) const override {
    if (player == open_spiel::kChancePlayerId) return "draw " + std::to_string(action);
    char text[64];
    int n = start_.core->text(static_cast<int>(action), text);
    return std::string(text, n);
  }

  // Every byte of what lies on the table, and of the turn's steps so far.
  std::string ToString() const override {
    static const char digits[] = "0123456789abcdef";
    std::string text(2 * start_.bytes, '0');
    for (size_t i = 0; i < start_.bytes; i++) {
      unsigned char byte = steps_[i];
      text[2 * i] = digits[byte >> 4];
      text[2 * i + 1] = digits[byte & 15];
    }
    return text;
  }

  std::vector<double> Returns() const override {
    std::vector<double> returns(start_.players, 0.0);
    if (!IsTerminal()) return returns;
    int32_t shares[kMostPlayers];
    start_.core->shares(start_.rules, steps_.data(), shares);
    for (int i = 0; i < start_.players; i++) {
      returns[i] = static_cast<double>(start_.players * shares[i]) / kWhole - 1.0;
    }
    return returns;
  }

  // Nothing on the table is hidden, and the piles are drawn from when a tile is due.
  std::string InformationStateString(Player player) const override {
    SPIEL_CHECK_GE(player, 0);
    SPIEL_CHECK_LT(player, start_.players);
    return HistoryString();
  }
  std::string ObservationString(Player player) const override {
    SPIEL_CHECK_GE(player, 0);
    SPIEL_CHECK_LT(player, start_.players);
    return ToString();
  }
  std::unique_ptr<State> ResampleFromInfostate(int player_id, std::function<double()> rng) const override {
    return Clone();
  }

  std::unique_ptr<State> Clone() const override { return std::make_unique<OrbisState>(*this); }

 protected:
  void DoApplyAction(Action action) override {
    int failed = start_.core->apply(start_.rules, Scratch(*start_.core), steps_.data(), start_.prune,
                                    static_cast<int>(action));
    if (failed < 0) open_spiel::SpielFatalError("orbis: no memory for the steps of a turn");
  }

 private:
  const Start& start_;  // the game's
  alignas(8) std::array<char, kMostBytes> steps_;
};

class OrbisGame : public Game {
 public:
  OrbisGame(const GameType& type, const GameParameters& parameters, const Start& start)
      : Game(type, parameters), start_(start) {}
  ~OrbisGame() override {
    if (!Py_IsInitialized()) return;
    PyGILState_STATE gil = PyGILState_Ensure();
    Py_XDECREF(start_.owner);
    PyGILState_Release(gil);
  }

  int NumDistinctActions() const override { return start_.core->actions; }
  std::unique_ptr<State> NewInitialState() const override {
    return std::make_unique<OrbisState>(shared_from_this(), start_);
  }
  int MaxChanceOutcomes() const override { return kMostTiles; }
  int NumPlayers() const override { return start_.players; }
  double MinUtility() const override { return -1; }
  double MaxUtility() const override { return start_.players - 1; }
  absl::optional<double> UtilitySum() const override { return 0; }
  int MaxGameLength() const override { return kTurns * kStepsPerTurn * start_.players; }
  int MaxChanceNodesInHistory() const override { return kRegionTurns * start_.players; }

 private:
  Start start_;
};

const GameType kType{
    /*short_name=*/"orbis",
    /*long_name=*/"Orbis, on the compiled core",
    GameType::Dynamics::kSequential,
    GameType::ChanceMode::kExplicitStochastic,
    GameType::Information::kPerfectInformation,
    GameType::Utility::kZeroSum,
    GameType::RewardModel::kTerminal,
    /*max_num_players=*/4,
    /*min_num_players=*/2,
    /*provides_information_state_string=*/true,
    /*provides_information_state_tensor=*/false,
    /*provides_observation_string=*/true,
    /*provides_observation_tensor=*/false,
    /*parameter_specification=*/
    {
        {"players", GameParameter(2)},
        {"tiles", GameParameter(std::string(""))},
        {"seed", GameParameter(0)},
        {"start", GameParameter(std::string(""))},
        {"moves", GameParameter(std::string("all"))},
        {"information", GameParameter(std::string("perfect"))},
    }};

// Python is asked once a game: it knows tile sets and positions.
Start AskForStart(const GameParameters& parameters) {
  Start start;
  unsigned long long prune = 0;
  PyObject *module = nullptr, *made = nullptr;
  PyObject* keywords = PyDict_New();
  for (const auto& [name, parameter] : parameters) {
    PyObject* value = parameter.has_int_value() ? PyLong_FromLong(parameter.int_value())
                                                : PyUnicode_FromString(parameter.string_value().c_str());
    PyDict_SetItemString(keywords, name.c_str(), value);
    Py_XDECREF(value);
  }
  module = PyImport_ImportModule("orbis_search.openspiel");
  PyObject* function = module == nullptr ? nullptr : PyObject_GetAttrString(module, "core_start");
  PyObject* nothing = PyTuple_New(0);
  made = function == nullptr ? nullptr : PyObject_Call(function, nothing, keywords);
  unsigned long long core = 0, rules = 0, steps = 0, bytes = 0;
  int players = 0;
  if (made != nullptr && PyArg_ParseTuple(made, "OKKKKiK", &start.owner, &core, &rules, &steps, &bytes, &players,
                                          &prune)) {
    Py_INCREF(start.owner);
    start.core = reinterpret_cast<const Interface*>(core);
    start.rules = reinterpret_cast<const void*>(rules);
    start.steps = reinterpret_cast<const void*>(steps);
    start.bytes = bytes;
    start.players = players;
    start.prune = static_cast<uint32_t>(prune);
  }
  std::string problem;
  if (PyErr_Occurred()) {
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyObject* text = value == nullptr ? nullptr : PyObject_Str(value);
    const char* words = text == nullptr ? nullptr : PyUnicode_AsUTF8(text);
    problem = words == nullptr ? "no start" : words;
    Py_XDECREF(text);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
  } else if (start.bytes > kMostBytes || start.core->most_legal > kMostLegal) {
    problem = "the core and this adapter are of different versions";
  }
  Py_XDECREF(made);
  Py_XDECREF(nothing);
  Py_XDECREF(function);
  Py_XDECREF(module);
  Py_XDECREF(keywords);
  if (!problem.empty()) open_spiel::SpielFatalError("orbis: " + problem);
  return start;
}

std::shared_ptr<const Game> MakeGame(const GameParameters& parameters) {
  GameParameters whole = kType.parameter_specification;
  for (const auto& [name, parameter] : parameters) whole[name] = parameter;
  PyGILState_STATE gil = PyGILState_Ensure();
  Start start;
  try {
    start = AskForStart(whole);
  } catch (...) {
    PyGILState_Release(gil);
    throw;
  }
  PyGILState_Release(gil);
  GameType type = kType;
  if (whole["information"].string_value() == "imperfect") {
    type.information = GameType::Information::kImperfectInformation;
  }
  return std::make_shared<OrbisGame>(type, parameters, start);
}

}  // namespace orbis

static PyModuleDef module_definition = {
    PyModuleDef_HEAD_INIT, "_orbis_openspiel", "Orbis as a C++ game of OpenSpiel.", -1,
};

PyMODINIT_FUNC PyInit__orbis_openspiel() {
  open_spiel::GameRegisterer::RegisterGame(orbis::kType, orbis::MakeGame);
  return PyModule_Create(&module_definition);
}
