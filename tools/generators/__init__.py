"""The generators of `tools.generate`: each module has `outputs(schemas) -> {path: text}` and writes nothing itself."""
