"""Writes the classes of all messages, `src/tidemill/wire/messages`, from schemas/messages.json.

`model` reads the schema, `versions` tells in words of Python when a version lies in a range, `values` knows the types, `reading`
and `writing` emit the two halves of a codec, `classes` and `modules` put them together. `declarations` has what Cython needs for
the modules that are compiled, `index` the list of all messages.
"""

from tools.generators.messages.modules import outputs

__all__ = ["outputs"]
