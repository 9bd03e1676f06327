#!/usr/bin/env python3
"""Checks every JSON file of the tree against the schema beside it. usage: schemas.py ROOT [--break]

--break damages the first document in memory: the run must then fail, which proves that the check can.
"""
import json
import pathlib
import sys

import jsonschema

root = pathlib.Path(sys.argv[1])
damage = "--break" in sys.argv
pairs = []
for lesson in sorted(root.glob("lessons/*/lesson.json")):
    pairs.append((lesson, root / "lessons/lesson.schema.json"))
for quiz in sorted(root.glob("quizzes/*.json")):
    if quiz.name != "quiz.schema.json":
        pairs.append((quiz, root / "quizzes/quiz.schema.json"))
pairs.append((root / "assets/gpus.json", root / "assets/gpus.schema.json"))
pairs.append((root / "kernels/bench/gpu/bench.json", root / "kernels/bench/gpu/bench.schema.json"))

bad = 0
for document, schema in pairs:
    data = json.loads(document.read_text(encoding="utf-8"))
    if damage:
        data["no such key"] = 1
        damage = False
    rules = json.loads(schema.read_text(encoding="utf-8"))
    validator = jsonschema.validators.validator_for(rules)(rules)
    for error in validator.iter_errors(data):
        bad += 1
        place = "/" + "/".join(str(part) for part in error.absolute_path)
        print(f"{document}: {place}: {error.message[:300]}")
print(f"{len(pairs)} documents, {bad} faults")
sys.exit(1 if bad or len(pairs) < 7 else 0)
