"""Stores: what implements the store port."""
