"""A variational autoencoder of positions; its encoder can be the trunk of a network that plays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from ludus.learn.networks import architectures
from ludus.learn.networks.architectures import NetworkSpec
from ludus.learn.networks.layers import modules, sequential
from ludus.learn.networks.network import Network, check_room
from ludus.learn.networks.plan import Shape


class Vae(nn.Module):
    """Positions to a few numbers with their uncertainty, and back."""

    def __init__(self, shape: Shape, latent: int, width: int) -> None:
        super().__init__()
        self.shape, self.width = shape, width
        plan = architectures.autoencoder(shape, latent, width)
        self.encoder = sequential(plan.encoder)
        self.mean, self.spread = (nn.Linear(plan.mean.inputs, latent) for _ in range(2))
        self.decoder = sequential(plan.decoder)

    def forward(self, x: Tensor, noise: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Logits of every cell of every plane, and the mean and log variance of what was seen."""
        seen = self.encoder(x)
        mean, log_variance = self.mean(seen), self.spread(seen)
        drawn = mean + noise * (0.5 * log_variance).exp()
        return self.decoder(drawn).view(-1, *self.shape), mean, log_variance

    def trunk(self) -> nn.Sequential:
        """What sees a position: the encoder up to its means."""
        return nn.Sequential(*self.encoder, self.mean)


def losses(logits: Tensor, x: Tensor, mean: Tensor, log_variance: Tensor) -> tuple[Tensor, Tensor]:
    """The two halves of the bound, a position: how badly it is read back, and the divergence."""
    wrong = functional.binary_cross_entropy_with_logits(logits, x, reduction="none")
    divergence = -0.5 * (1 + log_variance - mean**2 - log_variance.exp())
    return wrong.flatten(1).sum(1).mean(), divergence.sum(1).mean()


def cell_accuracy(logits: Tensor, x: Tensor, contents: Sequence[Tensor]) -> Tensor:
    """For each plane, the share of cells that are read nearest to the content they have."""
    planes = zip(logits.sigmoid().unbind(1), x.unbind(1), contents, strict=True)
    right = [
        nearest_content(read, known) == nearest_content(true, known) for read, true, known in planes
    ]
    return torch.stack([plane.float().mean() for plane in right])


def nearest_content(x: Tensor, contents: Tensor) -> Tensor:
    """Which of a plane's contents each cell is nearest to."""
    return (x[..., None] - contents).abs().argmin(-1)


class ReconstructionMetrics:
    """How well the positions of some batches are read back, on average."""

    def __init__(self) -> None:
        self.positions: list[int] = []
        self.halves: list[tuple[float, float]] = []
        self.right: list[list[float]] = []

    def note(self, positions: int, wrong: float, divergence: float, right: Tensor) -> None:
        self.positions.append(positions)
        self.halves.append((wrong, divergence))
        self.right.append(right.tolist())

    def metrics(self, *, each: bool = True) -> dict[str, float]:
        """A position's averages; `each` for those of every plane too."""
        wrong, divergence = np.average(self.halves, 0, self.positions)
        planes = np.average(self.right, 0, self.positions)
        named = enumerate(planes) if each else ()
        return {
            "reconstruction_loss": float(wrong),
            "kl": float(divergence),
            "cell_accuracy": float(planes.mean()),
            **{f"cell_accuracy_plane_{plane}": float(one) for plane, one in named},
        }


def on_encoder(
    vae: Vae,
    actions: int,
    *,
    frozen: bool,
    value: bool,
    separate: bool,
    seed: int,
    bounded: bool = True,
    leaky: bool = True,
    head_width: int = 0,
    head_layers: int = 0,
) -> Network:
    """Heads on an encoder, which learns no more if it is frozen."""
    asked = NetworkSpec(
        vae.shape,
        actions,
        value=value,
        separate=separate,
        bounded=bounded,
        leaky=leaky,
        head_width=head_width,
        head_layers=head_layers,
    )
    plan = architectures.on_encoder(asked, vae.mean.out_features, vae.width)
    check_room(plan)
    trunk = vae.trunk().requires_grad_(not frozen)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        head = sequential(plan.actions)
        own = None if plan.value is None else sequential(plan.value)
        critic = None
        if plan.critic is not None:  # sees what the trunk does, and thinks on by itself
            critic = nn.Sequential(*trunk, *modules(plan.critic.layers[len(trunk) :]))
    return Network(plan, trunk, head, own, critic)
