"""A collector of traces that decodes them with OpenTelemetry's own protobuf package. It prints its address, receives until its input ends,
and fails unless the request with the trace id of the command line came as one span of a server with its steps below it."""

import collections
import http.server
import sys
import threading

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest, ExportTraceServiceResponse
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

TRACE, PARENT, STANDARD = sys.argv[1:]
received = []


class Collector(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        assert (self.path, self.headers["Content-Type"]) == ("/v1/traces", "application/x-protobuf"), self.headers
        body = self.rfile.read(int(self.headers["Content-Length"]))
        received.append(ExportTraceServiceRequest.FromString(body))
        answer = ExportTraceServiceResponse().SerializeToString()
        self.send_response(200)
        self.send_header("Content-Type", "application/x-protobuf")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *arguments):
        pass


def values(attributes):
    return {pair.key: getattr(pair.value, pair.value.WhichOneof("value")) for pair in attributes}


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(f"http://127.0.0.1:{server.server_port}/v1/traces", flush=True)
sys.stdin.read()

groups = [group for request in received for group in request.resource_spans]
for group in groups:
    resource = values(group.resource.attributes)
    assert resource["service.name"] == "norma" and resource["service.instance.id"], resource
spans = [span for group in groups for scope in group.scope_spans for span in scope.spans]
assert len({span.span_id for span in spans}) == len(spans), "two spans have one id"
below = collections.defaultdict(list)
for span in spans:
    assert len(span.trace_id) == 16 and len(span.span_id) == 8, span
    assert span.start_time_unix_nano <= span.end_time_unix_nano, span
    below[span.parent_span_id].append(span)
for span in spans:
    for step in below[span.span_id]:
        assert step.trace_id == span.trace_id and step.kind == Span.SPAN_KIND_INTERNAL, step
        assert span.start_time_unix_nano <= step.start_time_unix_nano, (span, step)
[request] = below[bytes.fromhex(PARENT)]
assert request.trace_id.hex() == TRACE, request
assert request.name == "GET /api/content/v1/standards/{id}", request
assert request.kind == Span.SPAN_KIND_SERVER and request.status.code == Status.STATUS_CODE_UNSET, request
attributes = values(request.attributes)
assert attributes["http.response.status_code"] == 200 and attributes["norma.standard"] == STANDARD, attributes
assert attributes["http.route"] == "/api/content/v1/standards/{id}", attributes
steps = [step.name for step in sorted(below[request.span_id], key=lambda step: step.start_time_unix_nano)]
assert steps == ["authenticate", "authorize", "respond"], steps
refused = [span for span in below[b""] if values(span.attributes).get("http.response.status_code") == 401]
assert len(refused) == 1 and values(refused[0].attributes)["norma.problem"] == "token-missing", refused
print(f"{len(received)} exports, {len(spans)} spans")
