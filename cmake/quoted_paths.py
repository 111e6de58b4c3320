"""The lit test format of this project: shell tests whose %s, %S and %t also work in a checkout with a space in its path."""

import os

import lit.formats


class QuotedShTest(lit.formats.ShTest):
    def execute(self, test, config):
        source = test.getSourcePath()
        paths = {"%s": source, "%S": os.path.dirname(source), "%t": test.getExecPath() + ".tmp"}
        self.extra_substitutions = [(name, f"'{path}'") for name, path in paths.items() if " " in path]
        return super().execute(test, config)
