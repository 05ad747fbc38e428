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

#define BOWERBIRD_REQUEST(Message)                                                                 \
  template <>                                                                                      \
  class SerializationTraits<urlfrontier::Message, void> {                                          \
   public:                                                                                         \
    static Status Serialize(const protobuf::MessageLite& message, ByteBuffer* buffer, bool* own) { \
      return GenericSerialize<ProtoBufferWriter, urlfrontier::Message>(message, buffer, own);      \
    }                                                                                              \
    static Status Deserialize(ByteBuffer* buffer, protobuf::MessageLite* message) {                \
      return bowerbird::read_message<urlfrontier::Message>(buffer, message);                       \
    }                                                                                              \
  }
BOWERBIRD_REQUEST(Empty);
BOWERBIRD_REQUEST(Local);
BOWERBIRD_REQUEST(DeleteCrawlMessage);
BOWERBIRD_REQUEST(Pagination);
BOWERBIRD_REQUEST(GetParams);
BOWERBIRD_REQUEST(URLItem);
BOWERBIRD_REQUEST(DiscoveredBatch);
BOWERBIRD_REQUEST(QueueWithinCrawlParams);
BOWERBIRD_REQUEST(BlockQueueParams);
BOWERBIRD_REQUEST(Active);
BOWERBIRD_REQUEST(QueueDelayParams);
BOWERBIRD_REQUEST(LogLevelParams);
BOWERBIRD_REQUEST(CrawlLimitParams);
BOWERBIRD_REQUEST(URLStatusRequest);
BOWERBIRD_REQUEST(ListUrlParams);
BOWERBIRD_REQUEST(CountUrlParams);
BOWERBIRD_REQUEST(PurgeUrlParams);
#undef BOWERBIRD_REQUEST

}  // namespace grpc
