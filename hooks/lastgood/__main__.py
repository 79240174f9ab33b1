"""`python -m lastgood`."""

import sys

from lastgood.cli import main

sys.exit(main())
