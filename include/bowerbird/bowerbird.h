// Includes the complete interface (docs/library.md).
#pragma once

#include "bowerbird/crawl.h"
#include "bowerbird/error.h"
#include "bowerbird/frontier.h"
#include "bowerbird/graph.h"
#include "bowerbird/lab.h"
#include "bowerbird/ordering.h"
#include "bowerbird/refresh.h"
#include "bowerbird/url.h"
#include "bowerbird/version.h"
