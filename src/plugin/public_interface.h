// Includes the installed headers in our own sources. There their names are only in bowerbird::v1, apart
// from ours.
#pragma once

#ifndef BOWERBIRD_BUILDS_LIBRARY
#define BOWERBIRD_BUILDS_LIBRARY
#endif
#include <bowerbird/ordering.h>
