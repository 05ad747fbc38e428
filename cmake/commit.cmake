# Writes the commit of the sources as a C++ constant; empty without git. Run at every build, since configuring is rarer
# than committing. The file keeps its time unless the commit has changed.
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND git describe --always --dirty --exclude=* WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE commit
  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
file(CONFIGURE OUTPUT ${OUT} CONTENT "extern const char* const kBuildCommit;
const char* const kBuildCommit = \"@commit@\";
" @ONLY)
