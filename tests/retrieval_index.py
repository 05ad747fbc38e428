#!/usr/bin/env python3
"""A small retrieval index over chunks, with BM25: retrieval_index.py CHUNKS.jsonl QUERY prints the best chunk."""
import collections
import json
import math
import re
import sys

chunks = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
words = [re.findall(r"\w+", " ".join(chunk["headings"] + [chunk["text"]]).lower()) for chunk in chunks]
counts = [collections.Counter(one) for one in words]
holding = collections.Counter(word for one in counts for word in one)
mean = sum(map(len, words)) / len(words)


def score(i, query):
    total = 0
    for word in query:
        idf = math.log(1 + (len(chunks) - holding[word] + 0.5) / (holding[word] + 0.5))
        frequency = counts[i][word]
        total += idf * frequency * 2.2 / (frequency + 1.2 * (0.25 + 0.75 * len(words[i]) / mean))
    return total


query = re.findall(r"\w+", sys.argv[2].lower())
best = max(range(len(chunks)), key=lambda i: score(i, query))
print(json.dumps({"chunks": len(chunks), "best": chunks[best]["url"], "headings": chunks[best]["headings"]}))
