"""`python -m ludus` is the command line."""

from ludus.cli import main

raise SystemExit(main())
