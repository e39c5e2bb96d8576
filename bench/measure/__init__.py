"""Measures Norma beside nginx, Fastify, FastAPI, BaseX and xmllint."""
