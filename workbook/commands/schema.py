"""`workbook schema`: what a scenario file may hold, for editors."""

import json

import click


@click.command(short_help="Print the JSON Schema of a scenario file.")
def schema() -> None:
    """Print the JSON Schema of a scenario file: each field with its description, unit, bounds and an example.

    An editor that knows YAML's language server completes and checks a scenario by it:

    \b
      workbook schema > scenario.schema.json
      sed -i '1i # yaml-language-server: $schema=scenario.schema.json' mine.yaml

    The book has the same as a page: make book.
    """
    from simcore.scenario.schema import scenario_schema

    click.echo(json.dumps(scenario_schema(), indent=1, ensure_ascii=False))
