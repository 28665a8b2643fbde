# SPDX-License-Identifier: GPL-3.0-or-later
"""Check files for CI services.

workflows.py github [action.yml] WORKFLOW... DOCUMENT.md
workflows.py gitlab FILE...

The schemas have the keys that our files use, and thus find misspelt ones.
"""

import re
import sys

import jsonschema
import yaml


def keys(required=(), /, **properties):
    """Return the schema of a mapping that has only these keys."""
    return {'type': 'object', 'additionalProperties': False,
            'required': list(required),
            'properties': {name.replace('_', '-') if name in HYPHENS else name: row
                           for name, row in properties.items()}}


HYPHENS = {'runs_on', 'timeout_minutes', 'fail_fast', 'cancel_in_progress',
           'pull_requests'}
TEXT = {'type': 'string'}
TEXTS = {'type': 'array', 'items': TEXT, 'minItems': 1}
ANY = {}
STEP = keys(name=TEXT, id=TEXT, uses=TEXT, run=TEXT, shell=TEXT, env={'type': 'object'},
            **{'if': TEXT, 'with': {'type': 'object'}})
STEP['oneOf'] = [{'required': ['uses']}, {'required': ['run']}]
SHELL_STEP = dict(STEP, oneOf=[{'required': ['uses']}, {'required': ['run', 'shell']}])
STEPS = {'type': 'array', 'items': STEP, 'minItems': 1}
MAP = {'type': 'object'}

ACTION = keys(
    ('name', 'description', 'inputs', 'runs'),
    name=TEXT, description=TEXT, branding=keys(icon=TEXT, color=TEXT),
    inputs={'additionalProperties': keys(
        ('description',), description=TEXT, required={'type': 'boolean'},
        default=TEXT)},
    outputs={'additionalProperties': keys(
        ('description', 'value'), description=TEXT, value=TEXT)},
    runs=keys(('using', 'steps'), using={'const': 'composite'},
              steps=dict(STEPS, items=SHELL_STEP)))
# PyYAML reads the key "on" as true, and main() gives it its name back.
WORKFLOW = keys(
    ('name', 'on', 'permissions', 'jobs'),
    name=TEXT, on=ANY, jobs={'additionalProperties': keys(
        ('runs-on', 'timeout-minutes', 'steps'),
        runs_on=TEXT, timeout_minutes={'type': 'integer'}, steps=STEPS,
        strategy=keys(fail_fast={'type': 'boolean'}, matrix=MAP),
        container=keys(('image',), image=TEXT, options=TEXT))},
    permissions=keys(contents={'const': 'read'}, pull_requests={'const': 'write'}),
    concurrency={'anyOf': [TEXT, keys(group=TEXT,
                                      cancel_in_progress={'type': 'boolean'})]})
GITLAB = {'additionalProperties': keys(
    ('script',), stage=TEXT, image=TEXT, timeout=TEXT, resource_group=TEXT,
    rules={'type': 'array', 'items': keys(**{'if': TEXT})},
    variables={'additionalProperties': {'type': ['string', 'integer']}},
    before_script=TEXTS, script=TEXTS,
    allow_failure=keys(('exit_codes',), exit_codes={'type': 'integer'}),
    artifacts=keys(('paths',), when={'enum': ['always', 'on_failure', 'on_success']},
                   expose_as=TEXT, paths=TEXTS,
                   reports=keys(junit=TEXT)))}


def check_expressions(action):
    """Check that the inputs and steps which expressions name exist."""
    steps = action['runs']['steps']
    text = str(action)
    for name in re.findall(r'inputs\.([\w-]+)', text):
        assert name in action['inputs'], f'no input {name}'
    for name in re.findall(r'steps\.([\w-]+)\.', text):
        assert name in [step.get('id') for step in steps], f'no step {name}'


def check_steps(steps, inputs):
    """Check that no expression is in a shell's text, and the inputs of ours."""
    for step in steps:
        assert '${{' not in step.get('run', ''), f'{step} gives text to a shell'
        if '/throng@' in step.get('uses', ''):
            given = step['with']
            assert set(given) <= set(inputs), f'no input: {set(given) - set(inputs)}'
            missing = [name for name, row in inputs.items()
                       if row.get('required') and name not in given]
            assert not missing, f'missing: {missing}'


def check_document(text, inputs):
    """Check the steps that a document shows, as blocks that begin with "- "."""
    blocks = re.findall(r'(?:^    .*\n|^\n(?=    ))+', text, re.MULTILINE)
    shown = [yaml.safe_load(block) for block in blocks
             if block.strip().startswith('- ')]
    assert len(shown) >= 4, 'where are the steps?'
    for steps in shown:
        jsonschema.validate(steps, STEPS)
        check_steps(steps, inputs)


def check(service, path, inputs):
    """Check a file; add the inputs of an action to the others."""
    with open(path) as file:
        text = file.read()
    if path.endswith('.md'):
        check_document(text, inputs)
        return
    document = yaml.safe_load(text)
    if service == 'gitlab':
        jsonschema.validate(document, GITLAB)
    elif path.endswith('action.yml'):
        jsonschema.validate(document, ACTION)
        check_expressions(document)
        check_steps(document['runs']['steps'], {})
        inputs.update(document['inputs'])
    else:
        document['on'] = document.pop(True)
        jsonschema.validate(document, WORKFLOW)
        for job in document['jobs'].values():
            check_steps(job['steps'], inputs)


def main():
    inputs = {}
    for path in sys.argv[2:]:
        try:
            check(sys.argv[1], path, inputs)
        except (AssertionError, yaml.YAMLError,
                jsonschema.ValidationError) as error:
            sys.exit(f'{path}: {error}')


main()
