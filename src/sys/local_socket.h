// Unix sockets in a folder: for processes of the same user, wherever the folder is.
//
// Problem: the path of a Unix socket has at most 107 bytes, and whoever can write into the folder can put
// something else there. So the folder is opened first, and the socket is addressed as
// /proc/self/fd/N/NAME, which is short. A symbolic link is never followed, a socket that nobody listens on
// is replaced, and anything else is an error. The socket has mode 0600 before it accepts, and the uid of
// the peer is checked. Descriptors are non-blocking for the listener, blocking for the client. Threads: any.
#pragma once

#include <string>

#include "base/result.h"

namespace bowerbird {

// A listening descriptor at `path`, owned by the caller. kNeedsUser: another process listens there.
Result<int> listen_local(const std::string& path);
// Connected to the process that listens at `path`, which must run as the same user or as root.
Result<int> connect_local(const std::string& path);
// Whether the process at the other end runs as our user, or as root.
bool peer_is_trusted(int fd);
// Removes the socket at `path`; nothing else.
void remove_local(const std::string& path);

}  // namespace bowerbird
