# SPDX-License-Identifier: GPL-3.0-or-later
"""Run the steps of a composite GitHub action as a runner does.

action.py ACTION-DIRECTORY OUTPUTS NAME=VALUE...

The arguments are the action's inputs. Steps that use other actions are only
printed, and so is each condition. The outputs of the action are written to the
file OUTPUTS as JSON. The exit status is 1 if a step failed.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

import yaml

directory = os.path.abspath(sys.argv[1])
with open(os.path.join(directory, 'action.yml')) as file:
    action = yaml.safe_load(file)

given = dict(argument.split('=', 1) for argument in sys.argv[3:])
unknown = set(given) - set(action['inputs'])
if unknown:
    sys.exit(f'action.yml has no input {", ".join(sorted(unknown))}')
inputs = {}
for name, row in action['inputs'].items():
    if row.get('required') and name not in given:
        sys.exit(f'the input {name} is required')
    inputs[name] = given.get(name, row.get('default', ''))
steps = {}
failed = False


def look_up(path):
    """Return the value of a context, such as inputs.name."""
    if path == 'github.token':
        return os.environ['TEST_TOKEN']
    if match := re.fullmatch(r'inputs\.([\w-]+)', path):
        return expand(inputs[match[1]])
    if match := re.fullmatch(r'steps\.(\w+)\.outputs\.([\w-]+)', path):
        known = [step.get('id') for step in action['runs']['steps']]
        assert match[1] in known, path
        return steps.get(match[1], {}).get(match[2], '')
    sys.exit(f'action.yml: unknown context {path}')


def expand(text):
    """Replace expressions that are only a context."""
    return re.sub(r'\$\{\{ *([\w.-]+) *\}\}', lambda m: look_up(m[1]), str(text))


def holds(condition):
    """Evaluate conditions joined by &&."""
    if condition is None:
        return not failed
    condition = re.fullmatch(r'\$\{\{(.*)\}\}', condition.strip())[1]
    for part in condition.split('&&'):
        if part.strip() == '!cancelled()':
            continue
        match = re.fullmatch(r"([\w.-]+) (==|!=) '(\w*)'", part.strip())
        assert match, part
        if (look_up(match[1]) == match[3]) != (match[2] == '=='):
            return False
    return True


def outputs_of(path):
    """Read the outputs that a step has written."""
    with open(path) as file:
        return dict(line.rstrip('\n').split('=', 1) for line in file)


for step in action['runs']['steps']:
    if not holds(step.get('if')):
        print(f'-- {step["name"]}: skipped')
        continue
    print(f'-- {step["name"]}', flush=True)
    if 'uses' in step:
        for name, value in step['with'].items():
            print(f'{step["uses"]} {name}: {expand(value)}')
        if 'id' in step:
            steps[step['id']] = {'artifact-url': 'https://example.org/page'}
        continue
    assert '${{' not in step['run'], 'text from outside in a shell'
    assert step['shell'] == 'bash'
    with tempfile.NamedTemporaryFile() as written:
        environment = dict(os.environ, GITHUB_OUTPUT=written.name,
                           GITHUB_ACTION_PATH=directory)
        environment.pop('TEST_TOKEN', None)
        environment.update((name, expand(value))
                           for name, value in step['env'].items())
        result = subprocess.run(
            ['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c',
             step['run']], env=environment)
        if 'id' in step:
            steps[step['id']] = outputs_of(written.name)
    if result.returncode != 0:
        failed = True

with open(sys.argv[2], 'w') as file:
    json.dump({name: expand(row['value'])
               for name, row in action['outputs'].items()}, file)
sys.exit(failed)
