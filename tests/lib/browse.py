#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""browse.py FOLDER: load pages in headless Chromium and describe them.

Use chromedriver's HTTP interface. Read the path of a page from each line of
standard input. For each of them, print a line with a JSON object with the keys

    console   the messages on the browser's console
    requests  each requested URL except the page itself
    counts    the number of elements that match each selector
    title     the title of the page
    text      the visible text of the page
    wider     the screen widths, of those tried, that the page does not fit
    crowded   texts of charts that overlap, at the widths of the screenshots
    drawn_ms  the time until the page was drawn
    colours   the background colour in each of the screenshots

Write the screenshots light.png, dark.png and narrow.png of the page to the
folder.
"""

import base64
import http.client
import json
import pathlib
import re
import subprocess
import sys

SELECTORS = [
    'figure', 'svg[role=img]', 'script', 'svg title', 'svg .repeat',
    'figure:nth-of-type(1) .middle', 'figure:nth-of-type(2) .middle',
    'circle title', 'path.fit', 'path.line', 'rect.share', 'path.trace',
    'path.void', 'section table tbody tr', 'td.share', 'td.void', 'details',
    'svg .warned', 'svg .mark', '.legend span', 'h1', 'parsererror',
]
WIDTHS = [320, 360, 390, 600, 800, 1024, 1280, 1600]
# No wait takes this long unless something hangs.
PATIENCE_S = 240

# The letters fill about two thirds of a line's height.
CROWDED = """
const found = [];
for (const svg of document.querySelectorAll('svg')) {
    const boxes = [...svg.querySelectorAll('text:not(.steep)')].map(text => {
        const box = text.getBoundingClientRect();
        return {text: text.textContent, left: box.left, right: box.right,
                top: box.top + box.height / 6, bottom: box.bottom - box.height / 6};
    });
    for (const [i, a] of boxes.entries())
        for (const b of boxes.slice(i + 1))
            if (a.left < b.right && b.left < a.right && a.top < b.bottom &&
                b.top < a.bottom)
                found.push(`${svg.querySelector('title').textContent}: ` +
                           `${a.text}, ${b.text}`);
}
return found;
"""


class Driver:
    """A chromedriver process with one session."""

    def __init__(self):
        # It chooses a free port itself.
        self.process = subprocess.Popen(
            ['chromedriver', '--port=0'], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        self.session = ''
        for line in self.process.stdout:
            started = re.search(r'started successfully on port (\d+)', line)
            if started:
                self.port = int(started[1])
                return
        raise RuntimeError('chromedriver does not start')

    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection('127.0.0.1', self.port,
                                                timeout=PATIENCE_S)
        connection.request(method, self.session + path,
                           None if body is None else json.dumps(body))
        value = json.load(connection.getresponse())['value']
        connection.close()
        if isinstance(value, dict) and 'error' in value:
            raise RuntimeError(value['message'])
        return value

    def start(self):
        options = {
            'args': ['--headless', '--no-sandbox', '--disable-gpu',
                     '--disable-dev-shm-usage', '--hide-scrollbars'],
            'perfLoggingPrefs': {'enableNetwork': True},
            'browserStartupTimeout': 1000 * PATIENCE_S,
        }
        wanted = {
            'goog:chromeOptions': options,
            'goog:loggingPrefs': {'browser': 'ALL', 'performance': 'ALL'},
        }
        session = self.ask('POST', '/session',
                           {'capabilities': {'alwaysMatch': wanted}})
        self.session = '/session/' + session['sessionId']

    def run(self, script):
        return self.ask('POST', '/execute/sync', {'script': script, 'args': []})

    def command(self, name, **parameters):
        return self.ask('POST', '/goog/cdp/execute',
                        {'cmd': name, 'params': parameters})

    def log(self, kind):
        return self.ask('POST', '/se/log', {'type': kind})

    def screen(self, width, height, scheme):
        self.command('Emulation.setDeviceMetricsOverride', width=width,
                     height=height, deviceScaleFactor=1, mobile=False)
        self.command('Emulation.setEmulatedMedia', features=[
            {'name': 'prefers-color-scheme', 'value': scheme}])

    def shoot(self, path):
        # chromedriver's own function gives up after 10 s.
        shot = self.command('Page.captureScreenshot', format='png')
        path.write_bytes(base64.b64decode(shot['data']))

    def stop(self):
        if self.session:
            self.ask('DELETE', '')
        self.process.terminate()
        self.process.wait()


def requests(driver, page):
    """Return the requested URLs, except for the page and data: URLs."""
    found = []
    for entry in driver.log('performance'):
        message = json.loads(entry['message'])['message']
        if message['method'] == 'Network.requestWillBeSent':
            url = message['params']['request']['url']
            if url != page and not url.startswith('data:'):
                found.append(url)
    return found


def look(driver, page, folder):
    """Load the page, take the screenshots, and return its description."""
    driver.screen(1200, 1000, 'light')
    driver.ask('POST', '/url', {'url': page})
    seen = {
        'drawn_ms': driver.run(
            'const paint = performance.getEntriesByType("paint");'
            'const load = performance.getEntriesByType("navigation")[0];'
            'return Math.max(load.loadEventEnd,'
            ' ...paint.map(entry => entry.startTime))'),
        'title': driver.run('return document.title'),
        'text': driver.run('return document.body.innerText'),
        'counts': driver.run(
            f'return Object.fromEntries({json.dumps(SELECTORS)}.map(selector =>'
            ' [selector, document.querySelectorAll(selector).length]))'),
        'wider': [], 'crowded': [], 'colours': {},
    }
    for width in WIDTHS:
        driver.screen(width, 1000, 'light')
        if driver.run('return document.documentElement.scrollWidth') > width:
            seen['wider'].append(width)
    for name, width, scheme in (('light', 1280, 'light'),
                                ('dark', 1280, 'dark'),
                                ('narrow', 390, 'light')):
        driver.screen(width, 1900, scheme)
        driver.shoot(folder / f'{name}.png')
        seen['crowded'] += [f'{width}: {texts}' for texts in driver.run(CROWDED)]
        seen['colours'][name] = driver.run(
            'return getComputedStyle(document.body).backgroundColor')
    seen['requests'] = requests(driver, page)
    seen['console'] = [entry['message'] for entry in driver.log('browser')]
    return seen


def main():
    folder = pathlib.Path(sys.argv[1])
    driver = Driver()
    try:
        driver.start()
        for line in sys.stdin:
            page = pathlib.Path(line.rstrip('\n')).resolve().as_uri()
            print(json.dumps(look(driver, page, folder)), flush=True)
    finally:
        driver.stop()


main()
