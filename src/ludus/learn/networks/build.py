"""A network for a training: built anew, warmed by another run, or on the trunk of an encoder."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch

from ludus.game import Game, read_parameters
from ludus.learn.networks.architectures import RELU, autoencoder
from ludus.learn.networks.encoder import Vae, on_encoder
from ludus.learn.networks.network import Network, network
from ludus.learn.networks.places import places_of
from ludus.learn.networks.plan import Sequence, Shape, check_names
from ludus.learn.networks.stored import check_arrays, encoder_sizes, setting
from ludus.learn.networks.weighting import Weighting, cells_of
from ludus.learn.settings.config import Common


@dataclass(frozen=True)
class Heads:
    """What a method wants of its network beside a number for each action."""

    value: bool = True
    separate: bool = False  # actor and critic share nothing
    bounded: bool = True  # the value lies between -1 and 1
    weighting: bool = False  # favour cells near stones


def build(
    game: Game, config: Common, shape: Shape, num_actions: int, seed: int, heads: Heads
) -> Network:
    """The network that the settings ask for."""
    if not config.encoder and (config.head_width or config.head_layers):
        raise ValueError(
            "head_width and head_layers are of heads on an encoder: name a run of vae with "
            "--encoder RUN"
        )
    if config.encoder:
        new = on_encoder(
            encoder_of(config.encoder, game, shape),
            num_actions,
            frozen=config.freeze_encoder,
            value=heads.value,
            separate=heads.separate,
            seed=seed,
            bounded=heads.bounded,
            leaky=config.activation != RELU,
            head_width=config.head_width,
            head_layers=config.head_layers,
        )
    else:
        new = network(
            config.network,
            shape,
            num_actions,
            seed=seed,
            width=config.width,
            blocks=config.blocks,
            value=heads.value,
            separate=heads.separate,
            bounded=heads.bounded,
            activation=config.activation,
            places=places_of(game),
        )
    if heads.weighting:
        new.weighting = Weighting(shape, cells_of(game, config.planes))
    if config.init:
        load_weights(new, config.init)
    return new


def encoder_spelling(arrays: Mapping[str, Any], shape: Shape) -> str:
    """The encoder that stored weights are of, by its sizes: `latent=32,width=16`."""
    head = "network/trunk."
    trunk = {name.removeprefix(head): a for name, a in arrays.items() if name.startswith(head)}
    if not trunk:
        return ""  # what learns has no trunk: an autoencoder itself
    latent, width = encoder_sizes({f"trunk.{name}": array for name, array in trunk.items()})
    check_names(Sequence(autoencoder(shape, latent, width).trunk), trunk)
    return f"latent={latent},width={width}"


def encoder_of(run: str, game: Game, shape: Shape) -> Vae:
    """The autoencoder that a run of `vae` has learned; one that knows nothing yet, by its sizes."""
    from ludus.learn.store.learned import fits
    from ludus.learn.store.selection import checkpoint_of

    if re.fullmatch(r"latent=\d+,width=\d+", run):
        return Vae(shape, **read_parameters(run))
    one = checkpoint_of(run)
    record = one.record
    if record.get("algorithm") != "vae":
        raise ValueError(f"{run} is a run of {record.get('algorithm')}, not of vae")
    if not fits(record.get("game", ""), game):
        raise ValueError(f"{run} has seen {record.get('game')}, not {game.spelling}")
    known, shapes = record.get("config", {}), one.shapes("network")
    first = shapes.get("encoder.0.weight")
    if first is not None and first.shape[1:2] != shape[:1]:
        raise ValueError(f"{run} has seen other planes: {known.get('planes')}")
    try:
        sizes = setting(known, "latent_dim", 0), setting(known, "width", 0)
        plan = autoencoder(shape, *sizes)
        check_names(plan, shapes)  # before anything is built or read
        arrays = one.arrays("network")
        check_arrays(plan, arrays)
    except ValueError as wrong:
        raise ValueError(f"{one.path} is damaged: {wrong}") from None
    made = Vae(shape, *sizes)
    made.load_state_dict({name: torch.tensor(array) for name, array in arrays.items()})
    return made


def load_weights(network: Network, run: str) -> None:
    """Take over the weights of another run or the zoo: a whole trunk, and of heads what fits."""
    from ludus.learn.store.zoo import weights_of

    theirs = weights_of(run)
    own = network.state_dict()
    shared = {
        name: torch.tensor(array)
        for name, array in theirs.items()
        if name in own and tuple(own[name].shape) == array.shape
    }
    for name, tensor in shared.items():
        if tensor.dtype != own[name].dtype or not tensor.isfinite().all():
            raise ValueError(f"{run} is damaged: {name} is not finite, or no {own[name].dtype}")
    if any(name.startswith("trunk.") for name in own.keys() - shared.keys()):
        raise ValueError(f"the trunk of {run} is another than this network's")
    network.load_state_dict({**own, **shared})
