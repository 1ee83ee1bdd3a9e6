"""Distances between spectra, at several resolutions at once."""

import torch
from torch import Tensor

SIZES = (64, 128, 256, 512, 1024)
FLOOR = 1e-4


def spectrum(samples: Tensor, size: int) -> Tensor:
    """Complex spectra [batch, bins, frames] with a hop of a quarter of the window."""
    window = torch.hann_window(size, device=samples.device)
    return (
        torch.stft(samples, size, size // 4, window=window, center=False, return_complex=True)
        / size**0.5
    )


def spectral_distance(made: Tensor, true: Tensor, phase_weight: float) -> Tensor:
    """Mean over sizes of spectral convergence, distance of log magnitudes, and of the complex spectra.

    `phase_weight` is 0 where the phase of the student need not be the teacher's.
    """
    total = made.new_zeros(())
    for size in SIZES:
        one, other = spectrum(made, size), spectrum(true, size)
        # Smooth at zero, where the gradient of a plain magnitude is not a number.
        magnitude = (one.real**2 + one.imag**2 + FLOOR**2).sqrt()
        target = (other.real**2 + other.imag**2 + FLOOR**2).sqrt()
        norm = target.norm()
        total = total + (magnitude - target).norm() / norm
        total = total + (magnitude.log() - target.log()).abs().mean()
        if phase_weight > 0:
            difference = one - other
            error = (difference.real**2 + difference.imag**2).sum().sqrt()
            total = total + phase_weight * error / norm
    return total / len(SIZES)
