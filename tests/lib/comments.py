# SPDX-License-Identifier: GPL-3.0-or-later
"""Serve the comments of pull request 7 of example/server, as GitHub's API does.

comments.py PORT FILE

FILE has the comments as JSON. A request without the token "right" is refused.
"""

import http.server
import json
import sys

FILE = sys.argv[2]


class Handler(http.server.BaseHTTPRequestHandler):
    def handle_any(self):
        with open(FILE) as file:
            comments = json.load(file)
        length = int(self.headers.get('Content-Length', 0))
        body = self.rfile.read(length)
        base = '/repos/example/server/issues'
        path = self.path.split('?')[0]
        if self.headers['Authorization'] != 'Bearer right':
            return self.reply(403, {})
        if (self.command, path) == ('GET', f'{base}/7/comments'):
            return self.reply(200, comments)
        text = json.loads(body)['body']
        if (self.command, path) == ('POST', f'{base}/7/comments'):
            comments.append({'id': 100 + len(comments), 'body': text,
                             'user': {'type': 'Bot'}})
        elif self.command == 'PATCH':
            found = [comment for comment in comments
                     if path == f'{base}/comments/{comment["id"]}']
            if not found:
                return self.reply(404, {})
            found[0]['body'] = text
        else:
            return self.reply(404, {})
        with open(FILE, 'w') as file:
            json.dump(comments, file)
        return self.reply(201, {})

    do_GET = do_POST = do_PATCH = handle_any

    def reply(self, status, value):
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header('Content-Length', str(len(data)))
        self.end_headers()
        self.wfile.write(data)


http.server.HTTPServer(('127.0.0.1', int(sys.argv[1])), Handler).serve_forever()
