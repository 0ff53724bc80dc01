"""Small models of every operator that is folded, in each version: families of
generators, each of which takes random numbers."""

import block_cases
import fold
import folding
import idioms
import move_cases
import schemas
import test_fold_blocks
import test_fold_chains
import test_fold_dims
import test_fold_moves
import test_fold_sums
import test_fold_told
import test_fold_turns

CHAINS = 5


def every(op_type):
    return True


def sums(random, is_chosen=every):
    for op_type in filter(is_chosen, test_fold_sums.OPERATORS):
        make = test_fold_sums.OPERATORS[op_type]
        for opset, schema in schemas.versions(op_type):
            dtypes = [dtype for dtype in schemas.dtypes(schema)
                      if dtype.name not in test_fold_sums.UNSUPPORTED]
            for dtype in (random.choice(dtypes), dtypes[-1]):
                yield folding.model(
                    [make(random, op_type, dtype, opset, schema)], opset)


def moves(random, is_chosen=every):
    for op_type in filter(is_chosen, move_cases.OPERATORS):
        make, parameter = move_cases.OPERATORS[op_type]
        for opset, schema in schemas.versions(op_type):
            dtypes = [dtype
                      for dtype in schemas.dtypes(schema, parameter)
                      if test_fold_moves.is_computed(op_type, dtype)]
            for dtype in (random.choice(dtypes), dtypes[-1]):
                yield test_fold_moves.model(
                    [make(random, dtype, opset, schema)], opset)


def dims(random, is_chosen=every):
    for op_type in filter(is_chosen, test_fold_dims.GENERATORS):
        for opset, _ in schemas.versions(op_type):
            node = test_fold_dims.GENERATORS[op_type](random, opset)
            for inputs in (node.inputs,
                           test_fold_dims.with_symbols(random, node)):
                yield test_fold_dims.build(node, opset, inputs)


def blocks(_):
    for name, text in vars(test_fold_blocks).items():
        if name.isupper() and isinstance(text, str):
            yield fold.parse(text)
    for _, text, _ in test_fold_told.TOLD:
        yield fold.parse(text)
    for model, _, _ in idioms.MODELS.values():
        yield model


def turns(random):
    for op_type in block_cases.OPERATORS:
        for opset, schema in schemas.versions(op_type):
            dtype = random.choice([dtype for dtype in schemas.dtypes(
                schema, "V") if dtype != object])
            yield test_fold_turns.model([block_cases.make(
                random, op_type, dtype, opset, "c")], opset)


def chains(random):
    for _ in range(CHAINS):
        yield test_fold_chains.make_chain(random).model()


FAMILIES = (sums, moves, dims, blocks, turns, chains)
