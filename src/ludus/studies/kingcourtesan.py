"""x"""

from ludus.studies.engine.study import Study

STUDY = Study("kingcourtesan", "x", lambda extent: [])
