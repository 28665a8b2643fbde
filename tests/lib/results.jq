# Functions to look up records of a result (throng-results(5)), for jq -L.

# The rows of the points with this scope.
def rows($scope): [.points[] | select(.scope == $scope)];

# The rows of all operations together: a row per point, a row per repeat.
def points: rows("total");
def repeats: [.records[] | select(.scope == "total")];
def point: points[0];

# The rows of the points' operations, phases and loads.
def operations: rows("operation");
def operation($name): operations[] | select(.operation == $name);
def phases: rows("phase");
def phase($name): phases[] | select(.phase == $name);
def loads: rows("load");
def load($name): loads[] | select(.load == $name);
def phases_of($load): [rows("load/phase")[] | select(.load == $load)];
