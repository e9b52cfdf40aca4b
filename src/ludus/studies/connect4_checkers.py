"""x"""

from ludus.studies.engine.study import Study

STUDY = Study("connect4-checkers", "x", lambda extent: [])
