# The page in a container:
#
#     docker build -t ludus .
#     docker run --rm -p 8000:8000 ludus
#
# prints an address with a token. Other commands: `docker run --rm -it ludus ludus play connect4`.
# Runs of yours are shown with `-v "$PWD/runs:/home/ludus/runs"`.
FROM python:3.12-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends g++ && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN python -m pip wheel --no-deps --wheel-dir /wheels .

FROM python:3.12-slim
COPY constraints.txt /tmp/constraints.txt
COPY --from=build /wheels /wheels
RUN python -m pip install --no-cache-dir -c /tmp/constraints.txt "$(echo /wheels/*.whl)[play,serve]" \
  && rm -r /wheels /tmp/constraints.txt \
  && useradd --create-home ludus
USER ludus
WORKDIR /home/ludus
EXPOSE 8000
CMD ["ludus", "serve", "--host", "0.0.0.0"]
