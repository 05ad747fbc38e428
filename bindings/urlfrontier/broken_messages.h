// Requests that cannot be read get a status with the reason; urlfrontier.grpc.pb.h includes this.
//
// Problem: gRPC answers a broken message with an empty text, and ends a stream of them as if the client had
// ended it. Both come from the function that reads a message, so ours replaces it for the requests of the
// service. A stream is read in its reader's thread, which asks take_broken_message() at its end. Threads:
// any.
#pragma once

#include <grpcpp/impl/codegen/proto_utils.h>

#include <string>
#include <utility>

#include "urlfrontier.pb.h"

namespace bowerbird {

inline std::string& broken_message() {
  thread_local std::string text;
  return text;
}

// What was wrong with the last message that this thread could not read, once; empty: there was none.
inline std::string take_broken_message() {
  return std::exchange(broken_message(), {});
}

template <typename Message>
grpc::Status read_message(grpc::ByteBuffer* buffer, grpc::protobuf::MessageLite* message) {
  const grpc::Status status = grpc::GenericDeserialize<grpc::ProtoBufferReader, Message>(buffer, message);
  if (status.ok()) return status;
  const std::string text = "the message is broken: it is no " + message->GetTypeName();
  broken_message() = text;
  return {grpc::StatusCode::INVALID_ARGUMENT, text};
}

}  // namespace bowerbird

namespace grpc {

// Calls with a single request and a single answer read it as MessageLite.
#define BOWERBIRD_REQUEST(Message)                                                                 \
  template <>                                                                                      \
  class SerializationTraits<Message, void> {                                                       \
   public:                                                                                         \
    static Status Serialize(const protobuf::MessageLite& message, ByteBuffer* buffer, bool* own) { \
      return GenericSerialize<ProtoBufferWriter, Message>(message, buffer, own);                   \
    }                                                                                              \
    static Status Deserialize(ByteBuffer* buffer, protobuf::MessageLite* message) {                \
      return bowerbird::read_message<Message>(buffer, message);                                    \
    }                                                                                              \
  }
BOWERBIRD_REQUEST(protobuf::MessageLite);
BOWERBIRD_REQUEST(urlfrontier::GetParams);
BOWERBIRD_REQUEST(urlfrontier::ListUrlParams);
BOWERBIRD_REQUEST(urlfrontier::URLItem);
BOWERBIRD_REQUEST(urlfrontier::DiscoveredBatch);
#undef BOWERBIRD_REQUEST

}  // namespace grpc
