"""Serves on the loopback interface, and responds to a form with its parsed fields and files as JSON."""
import base64
import json
import sys

from werkzeug.serving import run_simple
from werkzeug.wrappers import Request, Response


@Request.application
def respond(request):
    def part(name, file_name, content_type, content):
        return {"name": name, "fileName": file_name, "type": content_type, "content": base64.b64encode(content).decode()}

    parts = [part(name, None, None, value.encode("utf-8", "surrogateescape")) for name, value in request.form.items(multi=True)]
    parts += [part(name, file.filename, file.content_type, file.read()) for name, file in request.files.items(multi=True)]
    return Response(json.dumps(parts), content_type="application/json")


run_simple("127.0.0.1", int(sys.argv[1]), respond, threaded=True)
