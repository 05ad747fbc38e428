// The installed headers, for our own sources: there their names are in bowerbird::v1 only, next to ours.
#pragma once

#ifndef BOWERBIRD_BUILDS_LIBRARY
#define BOWERBIRD_BUILDS_LIBRARY
#endif
#include <bowerbird/ordering.h>
