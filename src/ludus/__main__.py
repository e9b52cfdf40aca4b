"""`python -m ludus` is the command line."""

from ludus_start import main

raise SystemExit(main())
